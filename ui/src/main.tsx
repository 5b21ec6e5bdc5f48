import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import "./theme/index.css";
import { App } from "@/app/App";
import { showNotes } from "@/app/frameState";
import { StartFailed } from "@/app/StartFailed";
import { createServices } from "@/app/services";
import { watchComposition } from "@/lib/ime";
import { choosePlatform } from "@/platform";

const element = document.getElementById("root");
if (!element) throw new Error("index.html has no #root");

watchComposition();
const root = createRoot(element);
const platform = await choosePlatform();
const { failure, notes } = await platform.startState();
showNotes(notes);
if (failure === null) open();
else root.render(<StartFailed failure={failure} platform={platform} onStarted={open} />);

function open(): void {
  root.render(
    <StrictMode>
      <App services={createServices(platform)} />
    </StrictMode>,
  );
}
