export { type Answerer, answererOf, fallbacksOf, readChoice, standing } from "./answerer";
export {
  LiveProvider,
  useContextFill,
  useLive,
  useModelAsked,
  useQuestion,
  useSession,
  useTurn,
} from "./hooks";
export { createLive, type Live } from "./live";
export { reduceTurn, replayTurn } from "./reduceTurn";
export {
  type Choice,
  noChoice,
  type Outgoing,
  type PendingMessage,
  type PendingState,
  type SessionState,
} from "./sessionState";
export * from "./turnView";
