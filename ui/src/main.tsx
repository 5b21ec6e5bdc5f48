import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import "./theme/index.css";
import { ChatPane } from "@/features/chat";

const root = document.getElementById("root");
if (!root) throw new Error("index.html has no #root");
createRoot(root).render(
  <StrictMode>
    <ChatPane sessionId={null} />
  </StrictMode>,
);
