import { expect, type Locator, type Page, test } from "@playwright/test";
import type { ConnectionTest, ConnectionView } from "../src/protocol/bindings";
import { core, openApp } from "./app";
import { home, spare, work } from "./connections";

const path = "/settings/providers";

async function openWith(page: Page, ...connections: ConnectionView[]): Promise<void> {
  await openApp(page, { path });
  await core(page, (hook, list) => hook.setConnections(list), connections);
}

function cards(page: Page): Locator {
  return page.getByRole("list", { name: "Connections" }).locator("> li");
}

/** The names of the connections, as the core has them. */
function order(page: Page): Promise<string[]> {
  return core(page, (hook) => hook.core.state().connections.map(({ name }) => name), null);
}

async function decide(page: Page, name: string, verdict: ConnectionTest): Promise<void> {
  await core(page, (hook, { of, said }) => hook.setVerdict(of, said), { of: name, said: verdict });
}

test("several connections of one vendor stand beside each other, each with its own name", async ({
  page,
}) => {
  await openApp(page, { path });
  await expect(cards(page)).toHaveCount(1);
  for (const [key, name] of [
    ["sk-ant-one", "anthropic"],
    ["sk-ant-two", "anthropic-2"],
  ] as const) {
    await page.getByRole("button", { name: "Add another connection" }).click();
    await page.getByLabel("Key", { exact: true }).fill(key);
    await expect(page.getByLabel("Service")).toHaveValue("Anthropic");
    await expect(page.getByLabel("Name", { exact: true })).toHaveValue(name);
    await page.getByRole("button", { name: "Test and add" }).click();
    await expect(page.getByText(/answers with default-model/).first()).toBeVisible();
  }
  await expect(cards(page)).toHaveCount(3);
  await expect(cards(page).first()).toContainText("answers first");
  await expect(cards(page).nth(2)).toContainText("anthropic-2");
  await expect(cards(page).nth(2).getByRole("switch")).toBeChecked();
  const asked = await core(
    page,
    (hook) => hook.calls.filter(({ command }) => command === "provider_configure").map(({ args }) => args[0]),
    null,
  );
  expect(asked).toMatchObject([
    { connection: "anthropic", kind: "auto", apiKey: "sk-ant-one", fallback: true },
    { connection: "anthropic-2", kind: "auto", apiKey: "sk-ant-two", fallback: true },
  ]);
  const traces = await page.evaluate(
    () => document.documentElement.outerHTML + JSON.stringify({ ...localStorage, ...sessionStorage }),
  );
  expect(traces).not.toContain("sk-ant-one");
  expect(traces).not.toContain("sk-ant-two");
});

test("a name that is taken or cannot be one is refused with words, and what was written stays", async ({
  page,
}) => {
  await openWith(page, home);
  await page.getByRole("button", { name: "Add another connection" }).click();
  await page.getByLabel("Key", { exact: true }).fill("sk-or-good");
  const name = page.getByLabel("Name", { exact: true });
  await name.fill("home");
  await page.getByRole("button", { name: "Test and add" }).click();
  await expect(name).toHaveAccessibleDescription(/There is a connection with this name/);
  await expect(name).toBeFocused();
  await name.fill("my/router");
  await page.getByRole("button", { name: "Test and add" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "is not a name for a connection" })).toBeVisible();
  await expect(name).toBeFocused();
  await expect(page.getByLabel("Key", { exact: true })).toHaveValue("sk-or-good");
  await name.fill("router");
  await page.getByRole("textbox", { name: "Address" }).fill("https://nowhere.example/v1");
  await page.getByRole("button", { name: "Test and add" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "Can't reach nowhere.example." })).toBeVisible();
  expect(await order(page)).toEqual(["home"]);
});

test("how a new one is spoken to can be said", async ({ page }) => {
  await openWith(page, home);
  await page.getByRole("button", { name: "Add another connection" }).click();
  await expect(page.getByLabel("How it is spoken to")).toHaveCount(0);
  await page.getByRole("button", { name: "Advanced" }).click();
  await page.getByLabel("How it is spoken to").selectOption("anthropic");
  await page.getByRole("textbox", { name: "Address" }).fill("http://127.0.0.1:8080/v1");
  await page.getByRole("button", { name: "Test and add" }).click();
  await expect(cards(page).nth(1)).toContainText("spoken to by messages");
});

test("the order is changed by buttons and by keys, keeps the focus, and the first one answers", async ({
  page,
}) => {
  await openWith(page, home, work, spare);
  await page.getByRole("button", { name: "Move Anthropic, spare up" }).click();
  await expect(page.getByRole("button", { name: "Move Anthropic, spare up" })).toBeFocused();
  await expect.poll(() => order(page)).toEqual(["home", "spare", "work"]);
  await page.keyboard.press("Enter");
  await expect.poll(() => order(page)).toEqual(["spare", "home", "work"]);
  await expect(cards(page).first()).toContainText("answers first");
  await expect(page.getByText("Anthropic answers with claude-haiku-4-5.")).toBeVisible();
  // There is no further way up.
  await expect(page.getByRole("button", { name: "Move Anthropic, spare down" })).toBeFocused();
  await page.keyboard.press("Alt+ArrowDown");
  await expect.poll(() => order(page)).toEqual(["home", "spare", "work"]);
  await expect(page.getByRole("status", { name: "Announcements" })).toHaveText(
    "Anthropic, spare is now 2 of 3",
  );
  await core(page, (hook) => hook.fail("connections_order", "storageUnavailable"), null);
  await page.keyboard.press("Alt+ArrowDown");
  await expect(page.getByRole("alert").filter({ hasText: "Nothing can be saved" })).toBeVisible();
  await expect(cards(page).nth(1)).toContainText("spare");
});

test("who takes over is a switch, and is said at the top", async ({ page }) => {
  await openWith(page, home, { ...work, fallback: false });
  const takesOver = page.getByRole("switch", { name: "Takes over when those before do not answer" });
  await expect(takesOver).toHaveCount(1);
  await expect(page.getByText("takes over.")).toHaveCount(0);
  await takesOver.click();
  await expect(page.getByText("When it does not answer, Anthropic takes over.")).toBeVisible();
  expect(await core(page, (hook) => hook.core.state().connections[1]?.fallback, null)).toBe(true);
  await core(page, (hook) => hook.fail("connection_fallback", "storageUnavailable"), null);
  await takesOver.click();
  await expect(page.getByRole("alert").filter({ hasText: "Nothing can be saved" })).toBeVisible();
  await expect(takesOver).toBeChecked();
});

const verdicts: readonly (readonly [ConnectionTest, string])[] = [
  [
    { verdict: "works", message: "answered", hint: null, firstTokenMs: 1240 },
    "Works. Answered. The first word came after 1.2 s.",
  ],
  [
    { verdict: "noTools", message: "qwen cannot use tools", hint: "Pick another model.", firstTokenMs: 90 },
    "Works, without tools. Qwen cannot use tools. The first word came after 90 ms.",
  ],
  [
    {
      verdict: "wrongKey",
      message: "Anthropic refused the key (401)",
      hint: "Copy it again.",
      firstTokenMs: null,
    },
    "Wrong key. Anthropic refused the key (401).",
  ],
  [
    { verdict: "noCredit", message: "the account is empty", hint: null, firstTokenMs: null },
    "No credit. The account is empty.",
  ],
  [
    { verdict: "noSuchModel", message: "no model opus", hint: null, firstTokenMs: null },
    "No such model. No model opus.",
  ],
  [
    { verdict: "wrongHost", message: "no model server answers there", hint: null, firstTokenMs: null },
    "Wrong address. No model server answers there.",
  ],
  [
    { verdict: "noNetwork", message: "there is no network", hint: null, firstTokenMs: null },
    "No network. There is no network.",
  ],
  [
    { verdict: "other", message: "it said 418", hint: null, firstTokenMs: null },
    "Does not work. It said 418.",
  ],
];

for (const [verdict, words] of verdicts) {
  test(`a test says exactly what is the matter: ${verdict.verdict}`, async ({ page }) => {
    await openWith(page, home, work);
    await decide(page, "work", verdict);
    await page.getByRole("button", { name: "Test Anthropic, work" }).click();
    await expect(cards(page).nth(1).getByRole("status")).toContainText(words);
    if (verdict.hint) await expect(cards(page).nth(1)).toContainText(verdict.hint);
  });
}

test("nobody has to wait for a test, and what comes later is not shown as its result", async ({ page }) => {
  await openWith(page, home, work);
  await decide(page, "work", { verdict: "noCredit", message: "empty", hint: null, firstTokenMs: null });
  await core(page, (hook) => hook.hold("connection_test"), null);
  await page.getByRole("button", { name: "Test Anthropic, work" }).click();
  await expect(cards(page).nth(1)).toContainText("Asking Anthropic for one word…");
  await cards(page).nth(1).getByRole("button", { name: "Don't wait" }).click();
  await expect(cards(page).nth(1)).not.toContainText("Asking Anthropic");
  const listed = () =>
    core(page, (hook) => hook.calls.filter(({ command }) => command === "connections_list").length, null);
  const before = await listed();
  await core(page, (hook) => hook.release("connection_test"), null);
  await expect.poll(listed, "how it does now is asked").toBeGreaterThan(before);
  await expect(cards(page).nth(1)).not.toContainText("No credit");
});

test("a model is picked from what is offered, or written, and tested before it is kept", async ({ page }) => {
  await openWith(page, home, work);
  const model = () => core(page, (hook) => hook.core.state().connections[1]?.model, null);
  await page.getByRole("button", { name: "Change model of Anthropic, work" }).click();
  await expect(
    page.getByText("The server did not say what it offers; these are known models."),
  ).toBeVisible();
  const box = page.getByRole("combobox", { name: "Model of Anthropic" });
  await expect(box).toBeFocused();
  await expect(page.getByRole("option", { selected: true })).toContainText("claude-sonnet-4-5");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect.poll(model).toBe("claude-haiku-4-5");
  await expect(box).toHaveCount(0);
  await page.getByRole("button", { name: "Change model of Anthropic, work" }).click();
  await box.fill("missing-model");
  await page.getByRole("option", { name: "Use “missing-model”" }).click();
  await expect(
    page.getByRole("alert").filter({ hasText: "This account has no “missing-model”." }),
  ).toBeVisible();
  expect(await model()).toBe("claude-haiku-4-5");
  await box.fill("claude-next");
  await page.keyboard.press("Enter");
  await expect.poll(model).toBe("claude-next");
  expect(await core(page, (hook) => hook.core.state().connections[1]?.key, null), "the key stays").toBe(
    "vault",
  );
});

test("a key is replaced in place, and the rest stays", async ({ page }) => {
  await openWith(page, home, work);
  await page.getByRole("button", { name: "Key and address of Anthropic, work" }).click();
  const form = page.getByRole("form", { name: "Key and address of Anthropic" });
  await form.getByLabel("Key", { exact: true }).fill("sk-ant-wrong");
  await form.getByRole("button", { name: "Test and keep" }).click();
  await expect(form.getByRole("alert")).toContainText("Anthropic refused the key (401).");
  await expect(form.getByLabel("Key", { exact: true })).toBeFocused();
  await form.getByLabel("Key", { exact: true }).fill("sk-ant-new");
  await form.getByRole("button", { name: "Test and keep" }).click();
  await expect(form).toHaveCount(0);
  const kept = await core(page, (hook) => hook.core.state().connections[1], null);
  expect(kept).toMatchObject({ name: "work", model: "claude-sonnet-4-5", key: "vault", fallback: true });
});

test("removing asks, says what cannot be undone, and leaves the rest in order", async ({ page }) => {
  await openWith(page, home, work, spare);
  await page.getByRole("button", { name: "Remove Anthropic, work" }).click();
  const dialog = page.getByRole("dialog", { name: "Remove Anthropic, work?" });
  await expect(dialog).toContainText("Its key leaves the vault of this computer. That cannot be undone");
  await dialog.getByRole("button", { name: "Keep" }).click();
  await expect(page.getByRole("button", { name: "Remove Anthropic, work" })).toBeFocused();
  await page.keyboard.press("Enter");
  await dialog.getByRole("button", { name: "Remove" }).click();
  await expect(cards(page)).toHaveCount(2);
  expect(await order(page)).toEqual(["home", "spare"]);
  await expect(page.getByText("Anthropic, work is out of the list").first()).toBeVisible();
  await expect(page.getByRole("list", { name: "Connections" })).toBeFocused();
});

test("without the last one a new one can be set up at once", async ({ page }) => {
  await openWith(page, home);
  await page.getByRole("button", { name: "Remove Ollama, home" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await expect(page.getByText("There is no model to ask yet.").first()).toBeVisible();
  await expect(page.getByRole("heading", { name: "Providers", exact: true }).last()).toBeFocused();
  await page.getByLabel("Key", { exact: true }).fill("sk-or-good");
  await page.getByRole("button", { name: "Test and use" }).click();
  await expect(cards(page)).toHaveCount(1);
  await expect(cards(page).first()).toContainText("answers first");
  await expect(page.getByText("openrouter.ai answers with default-model").first()).toBeVisible();
});

test("what went wrong last stands at its connection, with how long it is left alone", async ({ page }) => {
  const restsUntil = Date.now() + 600_000;
  const problem = { code: "noCredit", message: "ask", hint: null, retryAfterMs: null } as const;
  await openWith(page, home, { ...work, problem, restsUntil });
  const note = cards(page).nth(1).getByRole("note");
  await expect(note).toContainText("The Anthropic account is out of credit.");
  await expect(note).toContainText(/left alone until \d\d?:\d\d/);
  await page.getByRole("button", { name: "Test Anthropic, work" }).click();
  await expect(cards(page).nth(1)).toContainText("Works.");
  await expect(note).toHaveCount(0);
});

test("a key in the environment is named, and answers first once it is used", async ({ page }) => {
  const found = {
    kind: "environment",
    label: "OpenAI",
    baseUrl: "https://api.openai.com/v1",
    models: [],
    keyEnv: "OPENAI_API_KEY",
  } as const;
  await openApp(page, { path, found: [{ ...found, models: [] }] });
  await expect(page.getByText("key in OPENAI_API_KEY")).toBeVisible();
  await page.getByRole("button", { name: "Use OpenAI" }).click();
  await expect.poll(() => order(page)).toEqual(["openai", "ollama"]);
  await expect(cards(page).first()).toContainText("key in the environment");
});
