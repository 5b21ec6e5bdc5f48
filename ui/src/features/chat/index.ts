export { ChatPane } from "./ChatPane";
export { ContextMeter } from "./ContextMeter";
