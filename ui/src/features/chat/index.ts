export { ChatPane } from "./ChatPane";
