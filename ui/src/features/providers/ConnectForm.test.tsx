import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it, vi } from "vitest";
import { PlatformProvider } from "@/platform/context";
import { scriptedPlatform } from "@/platform/scripted";
import type { ConnectionView } from "@/protocol/bindings";
import { ConnectForm } from "./ConnectForm";

type Props = Partial<Parameters<typeof ConnectForm>[0]>;

function show(props: Props = {}) {
  const { platform, hook } = scriptedPlatform();
  const onConnected = vi.fn();
  render(
    <PlatformProvider value={platform}>
      <QueryClientProvider client={new QueryClient()}>
        <ConnectForm submitLabel="Test" onConnected={onConnected} {...props} />
      </QueryClientProvider>
    </PlatformProvider>,
  );
  const asked = () =>
    hook.calls.filter(({ command }) => command === "provider_configure").map(({ args }) => args[0]);
  return { hook, onConnected, asked, keys: userEvent.setup() };
}

const work: ConnectionView = {
  name: "work",
  label: "Anthropic",
  kind: "auto",
  baseUrl: "https://api.anthropic.com/v1",
  model: "big",
  local: false,
  key: "vault",
  fallback: false,
  problem: null,
  restsUntil: null,
  facts: { contextTokens: null, images: null, tools: null, price: null },
};

const field = (name: string) => screen.getByLabelText<HTMLInputElement>(name, { selector: "input" });
const submit = () => screen.getByRole("button", { name: "Test" });

describe("the form for a connection", () => {
  it("means the first one when it is the only one, and is spoken to as its address tells", async () => {
    const { asked, onConnected, keys } = show();
    await keys.type(field("Key"), "sk-or-good");
    await keys.click(submit());
    await waitFor(() => expect(onConnected).toHaveBeenCalledOnce());
    expect(asked()).toEqual([
      {
        connection: null,
        kind: "auto",
        baseUrl: "https://openrouter.ai/api/v1",
        model: "",
        apiKey: "sk-or-good",
        keyEnv: null,
        keepKey: false,
        fallback: false,
      },
    ]);
    expect(field("Key").value, "the key leaves the page").toBe("");
  });

  it("names one more like its service until a name is written", async () => {
    const { asked, onConnected, keys } = show({ beside: ["openrouter"] });
    await keys.type(field("Key"), "sk-or-good");
    expect(field("Name").value).toBe("openrouter-2");
    await keys.clear(field("Name"));
    await keys.type(field("Name"), "night");
    await keys.click(screen.getByRole("switch"));
    await keys.click(submit());
    await waitFor(() => expect(onConnected).toHaveBeenCalledOnce());
    expect(asked()).toMatchObject([{ connection: "night", fallback: false }]);
  });

  it("asks nobody while its name cannot be one", async () => {
    const { asked, keys } = show({ beside: ["night"] });
    await keys.clear(field("Name"));
    await keys.type(field("Name"), "night");
    await keys.click(submit());
    expect(screen.getByText("There is a connection with this name.")).toBeTruthy();
    expect(document.activeElement).toBe(field("Name"));
    expect(asked()).toEqual([]);
  });

  it("lets the core judge a name, and shows what is the matter with it", async () => {
    const { asked, keys } = show({ beside: [] });
    await keys.clear(field("Name"));
    await keys.type(field("Name"), "  ನಮ್ಮ/x ");
    await keys.type(field("Key"), "sk-or-good");
    await keys.click(submit());
    await screen.findByText(/is not a name for a connection/);
    expect(document.activeElement).toBe(field("Name"));
    expect(asked()).toMatchObject([{ connection: "ನಮ್ಮ/x" }]);
  });

  it("says that the key stays only as long as the address does", async () => {
    const { keys } = show({ connection: work });
    expect(field("Key").placeholder).toBe("The one in the vault stays");
    await keys.type(field("Address"), "/");
    expect(field("Key").placeholder, "the same place").toBe("The one in the vault stays");
    await keys.type(field("Address"), "other");
    expect(field("Key").placeholder).toBe("Paste your key");
  });

  it("leaves alone whether a connection takes over, which is changed elsewhere", async () => {
    const { platform, hook } = scriptedPlatform();
    hook.setConnections([work]);
    const form = (connection: typeof work) => (
      <PlatformProvider value={platform}>
        <QueryClientProvider client={client}>
          <ConnectForm submitLabel="Test" onConnected={onConnected} connection={connection} />
        </QueryClientProvider>
      </PlatformProvider>
    );
    const client = new QueryClient();
    const onConnected = vi.fn();
    const { rerender } = render(form(work));
    rerender(form({ ...work, fallback: true }));
    await userEvent.click(submit());
    await waitFor(() => expect(onConnected).toHaveBeenCalledOnce());
    expect(hook.core.state().connections[0]?.fallback).toBe(true);
  });

  it("keeps what was written when the key is refused", async () => {
    const { onConnected, keys } = show({ beside: [] });
    await keys.type(field("Key"), "sk-or-wrong");
    await keys.type(field("Model"), "auto");
    await keys.click(submit());
    await waitFor(() => expect(document.activeElement).toBe(field("Key")));
    expect([field("Key").value, field("Model").value]).toEqual(["sk-or-wrong", "auto"]);
    expect(onConnected).not.toHaveBeenCalled();
  });
});
