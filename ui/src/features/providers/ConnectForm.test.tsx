import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it, vi } from "vitest";
import { PlatformProvider } from "@/platform/context";
import { scriptedPlatform } from "@/platform/scripted";
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
