export { useDeleteSession } from "./actions";
export { LateSessionMenu } from "./lateMenu";
export { Sidebar } from "./Sidebar";
export { TitleEditor } from "./TitleEditor";
