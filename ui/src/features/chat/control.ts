import { createContext, useContext } from "react";
import type { Attachment } from "@/protocol/bindings";

/** What turns may ask of the chat around them. */
export type ChatControl = {
  /** Puts a message into the composer, below what is written there, ready to be changed and sent. */
  readonly fill: (text: string, attachments?: readonly Attachment[]) => void;
  /** Sends a message as it is; `allowSpending` also beyond a limit that was told. */
  readonly send: (text: string, allowSpending?: boolean) => void;
  /** Sends a message without tools, and goes on so. */
  readonly talkOnly: (text: string, attachments: readonly Attachment[]) => void;
  /** Opens the choice of the chat's model. */
  readonly pickModel: () => void;
  readonly focusComposer: () => void;
  /** Whether nothing is written. */
  readonly isComposerEmpty: () => boolean;
};

const nothing: ChatControl = {
  fill: () => {},
  send: () => {},
  talkOnly: () => {},
  pickModel: () => {},
  focusComposer: () => {},
  isComposerEmpty: () => true,
};
const ControlContext = createContext<ChatControl>(nothing);

export const ChatControlProvider = ControlContext.Provider;

export function useChatControl(): ChatControl {
  return useContext(ControlContext);
}
