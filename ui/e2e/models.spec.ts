import { expect, type Page, test } from "@playwright/test";
import type { Usage } from "../src/protocol/bindings";
import { addChats, ask, composer, core, openApp, script, sidebar, transcript } from "./app";
import { home, spare, usageUntil, work } from "./connections";

function used(inputTokens: number, cachedTokens = 0): Usage {
  return { inputTokens, outputTokens: 312, cachedTokens, cacheWriteTokens: 0, reasoningTokens: 0 };
}

/** What the core was asked with this command, oldest first. */
function asked(page: Page, command: string): Promise<unknown[]> {
  return core(
    page,
    (hook, wanted) => hook.calls.filter((call) => call.command === wanted).map(({ args }) => args[0]),
    command,
  );
}

const modelPill = (page: Page) => page.getByRole("button", { name: /^Model: / });
const thinkPill = (page: Page) => page.getByRole("button", { name: /^Thinking: / });
const box = (page: Page) => page.getByRole("combobox", { name: "Model of this chat" });

async function pick(page: Page, model: string): Promise<void> {
  await modelPill(page).click();
  await page.getByRole("option", { name: model }).first().click();
}

test.beforeEach(async ({ page }) => {
  await openApp(page);
  await core(page, (hook, list) => hook.setConnections(list), [home, work, spare]);
});

test("a new chat begins with the model and the level that were chosen, and keeps them", async ({ page }) => {
  await expect(modelPill(page)).toHaveAccessibleName("Model: qwen3:14b");
  await expect(thinkPill(page)).toHaveAccessibleName("Thinking: as in Settings");
  await pick(page, "claude-opus-4-1");
  await thinkPill(page).click();
  await page.getByRole("menuitemradio", { name: "High" }).click();
  await expect(page.getByText("Goes to Anthropic: this chat")).toBeVisible();
  await script(page, [{ say: "Eleven." }]);
  await ask(page, "How many bills?");
  await expect(transcript(page).getByText("Eleven.")).toBeVisible();
  const choice = { model: "work/claude-opus-4-1", think: "high" };
  expect(await asked(page, "turn_send")).toMatchObject([
    { sessionId: null, ...choice, allowSpending: false },
  ]);
  expect(await asked(page, "session_choose")).toEqual([{ sessionId: expect.any(String), ...choice }]);
  await page.reload();
  await expect(modelPill(page)).toHaveAccessibleName("Model: claude-opus-4-1");
  await expect(thinkPill(page)).toHaveAccessibleName("Thinking: High");
  await page.keyboard.press("Control+n");
  await expect(modelPill(page), "the next new chat is as the settings say").toHaveAccessibleName(
    "Model: qwen3:14b",
  );
});

test("switching the model in the middle keeps the chat, and a line tells of it", async ({ page }) => {
  await script(page, [{ say: "Eleven." }], [{ say: "Twelve." }], [{ say: "Thirteen." }]);
  await ask(page, "How many bills?");
  await expect(transcript(page).getByText("Eleven.")).toBeVisible();
  await pick(page, "llama3.3");
  await ask(page, "And now?");
  await expect(transcript(page).getByText("Twelve.")).toBeVisible();
  await expect(transcript(page).getByText("Eleven.")).toBeAttached();
  const lines = transcript(page).getByRole("note").filter({ hasText: "Continued with" });
  await expect(lines).toHaveText(["Continued with llama3.3"]);
  await pick(page, "As in Settings");
  await ask(page, "And at last?");
  await expect(transcript(page).getByText("Thirteen.")).toBeVisible();
  await expect(lines).toHaveText(["Continued with llama3.3", "Continued with qwen3:14b"]);
  expect(await asked(page, "session_choose")).toMatchObject([
    { model: "home/llama3.3", think: null },
    { model: null, think: null },
  ]);
});

test("the picker works by keys alone, and Esc in it stops nothing", async ({ page }) => {
  await script(page, [{ say: "Slowly, slowly. ".repeat(40), perSecond: 30 }]);
  await ask(page, "Take your time");
  await expect(transcript(page).getByText("Slowly").first()).toBeVisible();
  await modelPill(page).focus();
  await page.keyboard.press("Enter");
  await expect(box(page)).toBeFocused();
  await expect(page.getByRole("option", { selected: true })).toContainText("As in Settings");
  await page.keyboard.press("Escape");
  await expect(box(page)).toHaveCount(0);
  await expect(modelPill(page)).toBeFocused();
  await expect(page.getByRole("button", { name: "Stop" })).toBeVisible();
  await page.keyboard.press("Enter");
  await page.keyboard.type("haiku");
  await expect(page.getByRole("option", { selected: true })).toContainText("claude-haiku-4-5");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(modelPill(page)).toHaveAccessibleName("Model: claude-haiku-4-5");
  expect(await asked(page, "session_choose")).toMatchObject([{ model: "spare/claude-haiku-4-5" }]);
});

test("a connection that cannot be asked still offers its own model, and says why there is no more", async ({
  page,
}) => {
  await core(page, (hook, list) => hook.setConnections(list), [work]);
  await core(page, (hook) => hook.fail("connection_models", "unreachable"), null);
  await modelPill(page).click();
  await expect(page.getByRole("option")).toHaveText([/As in Settings/, "claude-sonnet-4-5"]);
  await expect(page.getByRole("listbox")).toContainText("Can't reach Anthropic.");
});

test("a choice that the core refuses goes back and is told", async ({ page }) => {
  await addChats(page, "Bills");
  await sidebar(page).getByRole("link", { name: "Bills" }).click();
  await expect(modelPill(page)).toBeVisible();
  await core(page, (hook) => hook.fail("session_choose", "storageUnavailable"), null);
  await pick(page, "llama3.3");
  await expect(page.getByText("Nothing can be saved: the disk is full").first()).toBeVisible();
  await expect(modelPill(page)).toHaveAccessibleName("Model: qwen3:14b");
});

test("another model that goes on is told where it happened, also after a reload", async ({ page }) => {
  await script(page, [
    { event: { type: "textDelta", text: "Half an ans" } },
    { restart: true },
    {
      continueWith: "qwen3:14b",
      label: "Ollama",
      reasons: ["Anthropic isn't answering.", "this model sees no images"],
    },
    { say: "A whole answer." },
  ]);
  await ask(page, "How many bills?");
  const line = transcript(page).getByRole("note").filter({ hasText: "Continued with qwen3:14b (Ollama)" });
  await expect(line).toContainText("Anthropic isn't answering. This model sees no images.");
  await expect(transcript(page).getByText("A whole answer.")).toBeVisible();
  await expect(transcript(page).getByText("Half an ans")).toHaveCount(0);
  await page.reload();
  await expect(line).toBeVisible();
});

test("the meter tells how full the context is, and nothing where nobody knows", async ({ page }) => {
  await script(
    page,
    [{ context: 18_400, window: 200_000 }, { say: "One." }],
    [{ context: 191_000, window: 200_000 }, { say: "Two." }],
    [{ context: 500, window: null }, { say: "Three." }],
  );
  const meter = page.getByRole("meter", { name: "Context used" });
  await ask(page, "First");
  await expect(meter).toHaveText("18.4k of 200k");
  await meter.focus();
  await expect(page.getByRole("tooltip")).toHaveText(/18,400 of 200,000 tokens of the model's context, 9 %/);
  await composer(page).focus();
  await ask(page, "Second");
  await expect(meter).toHaveText("Nearly full");
  await ask(page, "Third");
  await expect(transcript(page).getByText("Three.")).toBeVisible();
  await expect(meter).toHaveCount(0);
});

test("an answer tells what it used and cost; without a price it tells only what it used", async ({
  page,
}) => {
  await script(
    page,
    [
      { say: "One." },
      { usage: used(700), costMicros: 1_000 },
      { usage: used(1_240, 512), costMicros: 4_200 },
    ],
    [{ say: "Two." }, { usage: used(90) }],
  );
  await ask(page, "First");
  await expect(transcript(page).getByText("1,240 in (512 cached) · 312 out · $0.0042")).toBeVisible();
  await expect(page.getByText("This chat $0.0042, today $0.0042")).toBeVisible();
  await ask(page, "Second");
  await expect(transcript(page).getByText("90 in · 312 out", { exact: true })).toBeVisible();
});

test("at a limit it stops; going on anyway allows it once, and the limit can be changed", async ({
  page,
}) => {
  await core(page, (hook, usage) => hook.setUsage(usage), usageUntil(Date.now()));
  await page.keyboard.press("Control+,");
  await page.getByRole("link", { name: "Models and money" }).click();
  await page.getByRole("textbox", { name: "For a day" }).fill("0.40");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Control+n");
  await script(page, [{ say: "Eleven." }]);
  await ask(page, "How many bills?");
  await expect(transcript(page).getByText("The limit on spending is reached.")).toBeVisible();
  await expect(
    transcript(page).getByText("It stopped so as not to spend more than you allowed."),
  ).toBeVisible();
  await transcript(page).getByRole("button", { name: "Go on anyway" }).click();
  await expect(transcript(page).getByText("Eleven.")).toBeVisible();
  expect(await asked(page, "turn_send")).toMatchObject([
    { text: "How many bills?", allowSpending: false },
    { text: "Go on.", allowSpending: true },
  ]);
  await script(page, [{ finish: { type: "limitReached", limit: "spending", text: "" } }]);
  await core(page, (hook) => hook.setUsage([]), null);
  await ask(page, "And now?");
  await transcript(page).getByRole("button", { name: "Change the limit" }).click();
  await expect(page.getByRole("textbox", { name: "For a day" })).toHaveValue("0.4");
});

test("limits are sums of dollars or nothing; what is neither stays written, with the reason", async ({
  page,
}) => {
  await page.evaluate(() => {
    location.hash = "/settings/models";
  });
  const day = page.getByRole("textbox", { name: "For a day" });
  await day.fill("lots");
  await page.keyboard.press("Tab");
  await expect(day).toHaveValue("lots");
  await expect(day).toHaveAccessibleDescription("Write a sum in US dollars, for example 0.50.");
  expect(await asked(page, "settings_set")).toEqual([]);
  await day.fill("$ 2,50");
  await page.keyboard.press("Tab");
  await expect(day).toHaveValue("2.5");
  await day.fill("");
  await page.keyboard.press("Enter");
  await page.getByRole("radio", { name: "Low" }).click();
  await expect(page.getByRole("radio", { name: "Low" })).toBeChecked();
  await core(page, (hook) => hook.fail("settings_set", "storageUnavailable"), null);
  await page.getByRole("textbox", { name: "For a month" }).fill("20");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("alert").filter({ hasText: "Nothing can be saved" })).toBeVisible();
  await expect(page.getByRole("textbox", { name: "For a month" })).toHaveValue("");
  expect(await asked(page, "settings_set")).toEqual([
    { key: "spending.per_day", value: 2.5 },
    { key: "spending.per_day", value: null },
    { key: "conversation.think", value: "low" },
    { key: "spending.per_month", value: 20 },
  ]);
});

test("what was spent is told for today, this month, and by day and model", async ({ page }) => {
  await core(page, (hook, usage) => hook.setUsage(usage), usageUntil(Date.now()));
  await page.evaluate(() => {
    location.hash = "/settings/models";
  });
  await expect(page.getByText("$0.41 today")).toBeVisible();
  const rows = page.getByRole("region", { name: "Used by day and model" }).getByRole("row");
  await expect(rows).toHaveCount(4);
  await expect(rows.nth(1)).toContainText("claude-sonnet-4-51248,2109,120$0.41");
  await expect(rows.nth(2)).toContainText("no price");
});

test("a model without tools can be asked without them", async ({ page }) => {
  await script(page, [{ fail: "toolsUnsupported" }], [{ say: "In words: eleven." }]);
  await ask(page, "How many bills?");
  await expect(transcript(page).getByRole("note")).toContainText("The model “qwen3:14b” cannot use tools.");
  await transcript(page).getByRole("button", { name: "Ask without tools" }).click();
  await expect(transcript(page).getByText("In words: eleven.")).toBeVisible();
  expect(await asked(page, "turn_send")).toMatchObject([
    { mode: "agent" },
    { text: "How many bills?", mode: "chat" },
  ]);
  await expect(page.getByRole("button", { name: "Mode: Talk only" })).toBeVisible();
});
