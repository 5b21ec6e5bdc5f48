export { useDeleteSession } from "./actions";
export { Sidebar } from "./Sidebar";
export { TitleEditor } from "./TitleEditor";
