import { createEvent, fireEvent, render, screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { useFileDrop } from "./useFileDrop";

const file = new File(["x"], "bill.pdf");

function Box({ onFiles }: { onFiles: (files: readonly File[]) => void }) {
  const { over, target } = useFileDrop(onFiles);
  return (
    <>
      <section aria-label="Chat" data-over={over} {...target} />
      <input aria-label="Search" />
    </>
  );
}

/** Whether the page kept the browser from its own way. */
function isTaken(kind: "dragOver" | "drop", name: string, types: string[], files: File[] = []): boolean {
  const element = screen.getByLabelText(name);
  const event = createEvent[kind](element, { dataTransfer: { types, files } });
  fireEvent(element, event);
  return event.defaultPrevented;
}

it("takes files above the chat, refuses them elsewhere and leaves text alone", () => {
  const onFiles = vi.fn();
  render(<Box onFiles={onFiles} />);
  for (const kind of ["dragOver", "drop"] as const) {
    expect(isTaken(kind, "Search", ["text/plain"]), `${kind} of text`).toBe(false);
    expect(isTaken(kind, "Chat", ["text/plain"]), `${kind} of text`).toBe(false);
    expect(isTaken(kind, "Search", ["Files"], [file]), `${kind} of a file`).toBe(true);
  }
  expect(onFiles).not.toHaveBeenCalled();
  expect(isTaken("drop", "Chat", ["Files"], [file])).toBe(true);
  expect(onFiles).toHaveBeenCalledExactlyOnceWith([file]);
});
