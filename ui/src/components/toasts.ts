import { create } from "zustand";

export type ToastItem = {
  readonly id: number;
  readonly text: string;
  readonly action: { readonly label: string; readonly run: () => void } | null;
};

const most = 3;
let nextId = 1;

/** What is on screen. */
export const useToasts = create<{ items: readonly ToastItem[] }>()(() => ({ items: [] }));

/** Tells of something that is done. With an action it stays for 10 s, else for 6 s. */
export function showToast(text: string, action: ToastItem["action"] = null): void {
  const item = { id: nextId++, text, action };
  useToasts.setState(({ items }) => ({ items: [...items, item].slice(-most) }));
}

/** It was closed, or its time is over. */
export function dropToast(id: number): void {
  useToasts.setState(({ items }) => ({ items: items.filter((item) => item.id !== id) }));
}
