import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, waitFor } from "@testing-library/react";
import { expect, it } from "vitest";
import { PlatformProvider } from "@/platform/context";
import { scriptedPlatform } from "@/platform/scripted";
import type { ConnectionView, ProviderStatus } from "@/protocol/bindings";
import { WhereItGoes } from "./WhereItGoes";

const here: ConnectionView = {
  name: "here",
  label: "Ollama",
  kind: "auto",
  baseUrl: "http://127.0.0.1:11434/v1",
  model: "qwen3",
  local: true,
  key: "none",
  fallback: true,
  problem: null,
  restsUntil: null,
  facts: { contextTokens: null, images: null, tools: null, price: null },
};
const away: ConnectionView = { ...here, name: "away", label: "Anthropic", local: false };
const other: ConnectionView = { ...away, name: "other", label: "OpenAI" };

async function words(
  connections: ConnectionView[],
  chosen: string | null = null,
  status: Partial<ProviderStatus> = {},
): Promise<string> {
  const { platform, hook } = scriptedPlatform();
  hook.setConnections(connections);
  Object.assign(hook.core.state().provider, status);
  const { container } = render(
    <PlatformProvider value={platform}>
      <QueryClientProvider client={new QueryClient()}>
        <WhereItGoes chosen={chosen} />
      </QueryClientProvider>
    </PlatformProvider>,
  );
  await waitFor(() => expect(container.textContent).not.toBe(""));
  // The connections come after the status.
  await new Promise((resolve) => setTimeout(resolve));
  await new Promise((resolve) => setTimeout(resolve));
  return container.textContent ?? "";
}

it("says where a message goes, and where when nobody answers there", async () => {
  expect(await words([here])).toBe("Stays on this computer");
  expect(await words([here, away, other])).toBe(
    "Stays on this computer; goes to Anthropic or OpenAI when it does not answer",
  );
  expect(await words([away])).toBe("Goes to Anthropic: this chat");
  expect(await words([away, other, here])).toBe(
    "Goes to Anthropic: this chat; to OpenAI or Ollama on this computer when it does not answer",
  );
  expect(await words([away, { ...other, fallback: false }])).toBe("Goes to Anthropic: this chat");
});

it("goes by what the chat is set to, whatever is the matter with the first connection", async () => {
  const broken = {
    ready: false,
    problem: { code: "keyMissing", message: "", hint: null, retryAfterMs: null },
  } as const;
  expect(await words([away, here], null, broken)).toBe("Nothing can be asked yet: there is no model");
  expect(await words([away, here], "here/qwen3", broken)).toBe("Stays on this computer");
  expect(await words([here, away], "away/big")).toBe("Goes to Anthropic: this chat");
});
