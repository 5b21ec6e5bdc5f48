import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import "./theme/index.css";
import { App } from "@/app/App";
import { createServices } from "@/app/services";
import { watchComposition } from "@/lib/ime";
import { choosePlatform } from "@/platform";

const root = document.getElementById("root");
if (!root) throw new Error("index.html has no #root");

watchComposition();
const services = createServices(await choosePlatform());
createRoot(root).render(
  <StrictMode>
    <App services={services} />
  </StrictMode>,
);
