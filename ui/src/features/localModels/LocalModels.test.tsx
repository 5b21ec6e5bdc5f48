import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it, vi } from "vitest";
import { useToasts } from "@/components/toasts";
import { apiError } from "@/platform/apiError";
import { PlatformProvider } from "@/platform/context";
import { scriptedPlatform } from "@/platform/scripted";
import type { LocalWay } from "@/protocol/bindings";
import { LocalModels } from "./LocalModels";

type Setup = { firstRun?: boolean; hold?: boolean; ways?: LocalWay[] };

async function show({ firstRun = false, hold = false, ways }: Setup = {}) {
  const { platform, hook } = scriptedPlatform({ firstRun });
  if (ways) hook.setLocalModels({ ways });
  if (hold) hook.hold("local_install");
  const onUsed = vi.fn();
  const client = new QueryClient();
  const page = () => (
    <PlatformProvider value={platform}>
      <QueryClientProvider client={client}>
        <LocalModels onUsed={onUsed} />
      </QueryClientProvider>
    </PlatformProvider>
  );
  const { unmount } = render(page());
  await screen.findByRole("list", { name: "Can be installed" });
  const asked = (name: string) =>
    hook.calls.filter(({ command }) => command === name).map(({ args }) => args);
  const again = () => void render(page());
  return { hook, onUsed, asked, unmount, again, keys: userEvent.setup() };
}

const button = (name: string) => screen.getByRole("button", { name });
const row = (name: string) => within(screen.getByRole("listitem", { name }));

describe("models on this computer", () => {
  it("says how far an installation is, and one press then uses the model", async () => {
    const { hook, onUsed, asked, keys } = await show({ firstRun: true, hold: true });
    await keys.click(button("Install Qwen3 4B"));
    await waitFor(() => expect(document.activeElement).toBe(button("Stop installing Qwen3 4B")));
    hook.tellInstall("qwen3-4b", {
      type: "downloading",
      doneBytes: 1_248_640_128,
      totalBytes: 2_497_280_256,
    });
    const bar = await screen.findByRole("progressbar", { name: "Installing Qwen3 4B" });
    await waitFor(() => expect(bar.getAttribute("aria-valuenow")).toBe("50"));
    expect(screen.getByText("1.2 GB of 2.5 GB (50 %)")).toBeTruthy();
    hook.tellInstall("qwen3-4b", { type: "checking" });
    await screen.findByText("Checking the file…");
    hook.tellInstall("qwen3-4b", { type: "measuring", threads: 2 });
    await screen.findByText("Trying it with 2 threads…");
    hook.release("local_install");
    await waitFor(() => expect(document.activeElement).toBe(button("Use Qwen3 4B")));
    expect(screen.queryByRole("progressbar")).toBeNull();
    await keys.keyboard("{Enter}");
    await waitFor(() => expect(onUsed).toHaveBeenCalledOnce());
    expect(onUsed.mock.calls[0]?.[0]).toMatchObject({ ready: true, model: "qwen3-4b", local: true });
    expect(asked("local_install")).toEqual([
      [{ model: "qwen3-4b", keeper: null, name: null, chatTemplate: null }],
    ]);
    await waitFor(() => expect(row("Qwen3 4B").getByText("In use")).toBeTruthy());
  });

  it("stops on demand, says that nothing is lost, and goes on", async () => {
    const { asked, keys } = await show({ hold: true });
    await keys.click(button("Install Qwen2.5 1.5B"));
    await keys.click(await screen.findByRole("button", { name: "Stop installing Qwen2.5 1.5B" }));
    await screen.findByText(/What has arrived is kept/);
    expect(screen.queryByRole("alert")).toBeNull();
    await keys.click(button("Go on installing Qwen2.5 1.5B"));
    await screen.findByRole("progressbar", { name: "Installing Qwen2.5 1.5B" });
    expect([asked("local_install_stop"), asked("local_install").length]).toEqual([[["qwen2.5-1.5b"]], 2]);
  });

  it("lets Stop be pressed again when it came too early", async () => {
    const { hook, keys } = await show({ hold: true });
    await keys.click(button("Install Qwen3 4B"));
    await screen.findByRole("progressbar");
    const running = hook.core.installs.get("qwen3-4b");
    hook.core.installs.clear();
    await keys.click(button("Stop installing Qwen3 4B"));
    const stop = await screen.findByRole<HTMLButtonElement>("button", { name: "Stop installing Qwen3 4B" });
    expect(stop.disabled).toBe(false);
    if (running) hook.core.installs.set("qwen3-4b", running);
    await keys.click(stop);
    await screen.findByRole("button", { name: "Go on installing Qwen3 4B" });
  });

  it("goes on while the person looks elsewhere", async () => {
    const { hook, unmount, again, keys } = await show({ hold: true });
    await keys.click(button("Install Qwen3 4B"));
    await screen.findByRole("progressbar");
    unmount();
    hook.tellInstall("qwen3-4b", { type: "measuring", threads: 4 });
    again();
    await screen.findByText("Trying it with 4 threads…");
  });

  it("says why it failed and what to do, and can be tried again", async () => {
    const { hook, keys } = await show();
    const hint = "Free some space, or choose a smaller model.";
    const message = "`qwen3-4b` needs 2.5 GB on the disk, and 1.0 GB are free";
    hook.fail("local_install", apiError("storageUnavailable", message, { hint }));
    await keys.click(button("Install Qwen3 4B"));
    const alert = await screen.findByRole("alert");
    expect(alert.textContent).toBe(`${message}.${hint}`);
    await keys.click(button("Try again to install Qwen3 4B"));
    await screen.findByRole("progressbar", { name: "Installing Qwen3 4B" });
    expect(screen.queryByRole("alert")).toBeNull();
  });

  it("tells of a model that could not be tried", async () => {
    const { hook, keys } = await show({ hold: true });
    await keys.click(button("Install Qwen3 4B"));
    await screen.findByRole("progressbar");
    hook.tellInstall("qwen3-4b", { type: "notTried", why: "there is not enough memory" });
    hook.release("local_install");
    await screen.findByText(/could not be tried\. There is not enough memory\./);
  });

  it("asks before removing, and leaves a file that the person brought", async () => {
    const { asked, keys } = await show();
    await keys.click(button("Remove poems"));
    const dialog = within(await screen.findByRole("dialog", { name: "Remove poems?" }));
    expect(dialog.getByText(/You brought its file, so that stays: ~\/Models\/poems\.gguf\./)).toBeTruthy();
    await keys.click(dialog.getByRole("button", { name: "Keep" }));
    expect(asked("local_remove")).toEqual([]);
    await keys.click(button("Remove poems"));
    await keys.click(await screen.findByRole("button", { name: "Remove" }));
    await waitFor(() => expect(screen.queryByRole("listitem", { name: "poems" })).toBeNull());
    expect(asked("local_remove")).toEqual([["poems", "managed"]]);
    expect(useToasts.getState().items.at(-1)?.text).toBe("poems is out of the list; its file stays");
  });

  it("offers nothing that could not run, says what to install first, and looks again", async () => {
    const note = "Install llama.cpp, or Ollama or LM Studio.";
    const { hook, keys } = await show({ ways: [{ keeper: "managed", isThere: false, note }] });
    expect(screen.getByText("Nothing here can run a model yet.")).toBeTruthy();
    expect(screen.getByText(note)).toBeTruthy();
    expect(screen.queryByRole("button", { name: /^Install/ })).toBeNull();
    hook.setLocalModels({ ways: [{ keeper: "ollama", isThere: true, note: "at http://127.0.0.1:11434" }] });
    await keys.click(button("Look again"));
    await screen.findByRole("button", { name: "Install Qwen3 4B" });
    expect(screen.queryByText("Nothing here can run a model yet.")).toBeNull();
  });
});
