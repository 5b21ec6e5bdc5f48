import { afterEach, expect, it, vi } from "vitest";
import { scriptedPlatform } from "@/platform/scripted";
import type { ConnectionView } from "@/protocol/bindings";
import { queries } from "@/state/queries";
import { createServices } from "./services";

const away: ConnectionView = {
  name: "away",
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
const here: ConnectionView = { ...away, name: "here", label: "Ollama", local: true, key: "none" };

const outgoing = {
  sessionId: null,
  text: "Hello",
  mode: "agent",
  model: null,
  think: null,
  allowSpending: false,
  delivery: "queue",
} as const;

/** Without a network, with these connections. */
async function offline(...connections: ConnectionView[]) {
  vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
  const { platform, hook } = scriptedPlatform();
  hook.setConnections(connections);
  const services = createServices(platform);
  await services.client.fetchQuery(queries.provider(platform));
  await services.client.fetchQuery(queries.connections(platform));
  const goes = async (model: string | null) => (await services.live.send({ ...outgoing, model })) !== null;
  return { ...services, goes };
}

afterEach(() => {
  vi.restoreAllMocks();
  localStorage.clear();
});

it("without a network a message goes to a model on this computer and waits for any other", async () => {
  const { goes } = await offline(away, here);
  expect(await goes(null)).toBe(false);
  expect(await goes("here/small")).toBe(true);
  const other = await offline(here, away);
  expect(await other.goes("away/big")).toBe(false);
  expect(await other.goes(null)).toBe(true);
});

it("without a network a message goes when a model on this computer takes over", async () => {
  const { goes } = await offline(away, { ...here, fallback: true });
  expect(await goes(null)).toBe(true);
  expect(await goes("away/big")).toBe(false);
});

it("without a network it counts what the chat is set to", async () => {
  const { live, goes } = await offline(here, away);
  expect(await goes(null)).toBe(true);
  const sessionId = (await live.send(outgoing)) ?? "";
  await live.choose(sessionId, { model: "away/big", think: null });
  expect(await live.send({ ...outgoing, sessionId })).toBeNull();
});
