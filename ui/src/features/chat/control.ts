import { createContext, useContext } from "react";
import type { Attachment } from "@/protocol/bindings";

/** What turns may ask of the chat around them. */
export type ChatControl = {
  /** Puts a message into the composer, below what is written there, ready to be changed and sent. */
  readonly fill: (text: string, attachments?: readonly Attachment[]) => void;
  /** Sends a message as it is. */
  readonly send: (text: string) => void;
  readonly focusComposer: () => void;
  /** Whether nothing is written. */
  readonly isComposerEmpty: () => boolean;
};

const nothing: ChatControl = {
  fill: () => {},
  send: () => {},
  focusComposer: () => {},
  isComposerEmpty: () => true,
};
const ControlContext = createContext<ChatControl>(nothing);

export const ChatControlProvider = ControlContext.Provider;

export function useChatControl(): ChatControl {
  return useContext(ControlContext);
}
