import { expect, type Locator, type Page, test } from "@playwright/test";
import type { ErrorCode } from "../src/protocol/bindings";
import { ask, composer, core, openApp, script, transcript } from "./app";

const remote = {
  ready: true,
  label: "api.example.com",
  model: "big-model",
  baseUrl: "https://api.example.com/v1",
  local: false,
  problem: null,
};

/** The words and all the actions of each way to fail, in their order. */
const rows: readonly (readonly [code: ErrorCode, words: string, ...actions: string[]])[] = [
  ["notConfigured", "There is no model to ask yet.", "Open providers", "Try again"],
  ["keyMissing", "There is no key for api.example.com yet.", "Add key", "Use a local model", "Try again"],
  ["keyRefused", "api.example.com refused the key (401).", "Replace key", "Test", "Try again"],
  ["noCredit", "The api.example.com account is out of credit.", "Switch model", "Try again"],
  ["rateLimited", "api.example.com asks us to wait.", "Try again", "Switch model"],
  ["modelNotFound", "This account has no “big-model”.", "Pick a model"],
  ["toolsUnsupported", "The model “big-model” cannot use tools.", "Switch model", "Ask without tools"],
  [
    "contextTooLong",
    "This chat is longer than the model can read at once.",
    "New chat",
    "Pick a larger model",
  ],
  ["badRequest", "api.example.com could not use this request.", "Switch model"],
  ["serverFailed", "api.example.com isn't answering.", "Try again", "Switch model"],
  ["unreachable", "Can't reach api.example.com.", "Try again", "Open providers"],
  ["timedOut", "api.example.com took too long.", "Try again", "Switch model"],
  ["streamCut", "The answer broke off.", "Try again"],
  ["malformed", "api.example.com sent something that isn't an answer.", "Try again", "Open providers"],
  ["contentFiltered", "api.example.com blocked this answer."],
  ["emptyAnswer", "The model answered with nothing.", "Try again", "Switch model"],
  ["storageUnavailable", "Nothing can be saved: the disk is full", "Try again", "Open status"],
  ["vaultUnavailable", "The system's vault for keys can't be used.", "Open status", "Open providers"],
  ["internal", "Something went wrong on our side.", "Try again", "Open status"],
];

const limited = (retryAfterMs: number) =>
  ({ code: "rateLimited", message: "ask the model", hint: null, retryAfterMs }) as const;

/** How the last turn failed. */
function failure(page: Page): Locator {
  return transcript(page).getByRole("note").last();
}

function questions(page: Page): Locator {
  return transcript(page).getByText("How many bills?", { exact: true });
}

function timesAsked(page: Page): Promise<number> {
  return core(
    page,
    (hook) => hook.calls.filter(({ command }) => command === "turn_send" || command === "turn_retry").length,
    null,
  );
}

test.beforeEach(async ({ page }) => {
  await openApp(page);
  await core(page, (hook, status) => hook.setProvider(status), remote);
});

for (const [code, words, ...actions] of rows) {
  test(`${code}: the question stays, with the cause and all the ways on`, async ({ page }) => {
    await script(page, [{ fail: code }]);
    await ask(page, "How many bills?");
    await expect(failure(page)).toContainText(words);
    await expect(questions(page)).toBeVisible();
    await expect(failure(page).getByRole("button")).toHaveText([...actions, "Edit question"]);
  });
}

const ways: readonly (readonly [code: ErrorCode, action: string, title: string])[] = [
  ["keyMissing", "Add key", "Providers"],
  ["keyMissing", "Use a local model", "Providers"],
  ["keyRefused", "Replace key", "Providers"],
  ["keyRefused", "Test", "Providers"],
  ["internal", "Open status", "Status"],
];

for (const [code, action, title] of ways) {
  test(`${code}: ${action} leads to where that is done`, async ({ page }) => {
    await script(page, [{ fail: code }]);
    await ask(page, "How many bills?");
    await failure(page).getByRole("button", { name: action, exact: true }).click();
    await expect(page.getByRole("heading", { name: title, exact: true })).toBeVisible();
  });
}

const picks: readonly (readonly [code: ErrorCode, action: string])[] = [
  ["noCredit", "Switch model"],
  ["modelNotFound", "Pick a model"],
  ["contextTooLong", "Pick a larger model"],
];

for (const [code, action] of picks) {
  test(`${code}: ${action} opens the choice of the model of this chat`, async ({ page }) => {
    await script(page, [{ fail: code }]);
    await ask(page, "How many bills?");
    await failure(page).getByRole("button", { name: action, exact: true }).click();
    await expect(page.getByRole("combobox", { name: "Model of this chat" })).toBeFocused();
  });
}

for (const code of ["keyRefused", "serverFailed"] as const) {
  test(`${code}: the question goes back into the composer, beside what is written there`, async ({
    page,
  }) => {
    await script(page, [{ fail: code }]);
    await ask(page, "How many bills?");
    await failure(page).getByRole("button", { name: "Edit question" }).click();
    await expect(composer(page)).toHaveValue("How many bills?");
    await expect(composer(page)).toBeFocused();
    await composer(page).fill("And rents?");
    await failure(page).getByRole("button", { name: "Edit question" }).click();
    await expect(composer(page)).toHaveValue("And rents?\n\nHow many bills?");
  });
}

test("a wait counts down and then the question goes by itself, shown once", async ({ page }) => {
  await script(page, [{ fail: limited(2_000) }], [{ say: "Eleven." }]);
  await ask(page, "How many bills?");
  await expect(failure(page)).toContainText(/asks us to wait [12] s\./);
  await expect(failure(page).getByRole("button").first()).toHaveText("Try now");
  await expect(transcript(page).getByText("Eleven.")).toBeVisible();
  await expect(questions(page)).toHaveCount(1);
  await expect(transcript(page).getByText(/^Tried at .*: too many requests$/)).toHaveCount(1);
});

test("a server that always asks to wait is asked again once, also after a reload", async ({ page }) => {
  await script(page, ...Array.from({ length: 6 }, () => [{ fail: limited(1_000) }]));
  await ask(page, "How many bills?");
  await expect.poll(() => timesAsked(page)).toBe(2);
  await expect(failure(page).getByRole("button").first()).toHaveText("Try again");
  await expect(failure(page)).toContainText("asks us to wait 1 s.");
  await page.waitForTimeout(2_500);
  expect(await timesAsked(page)).toBe(2);
  await expect(questions(page)).toHaveCount(1);
  await page.reload();
  await expect(failure(page).getByRole("button").first()).toHaveText("Try again");
  await page.waitForTimeout(2_500);
  expect(await timesAsked(page)).toBe(0);
});

test("a wait of more than a minute is told and left to the person", async ({ page }) => {
  await script(page, [{ fail: limited(61_000) }]);
  await ask(page, "How many bills?");
  await expect(failure(page)).toContainText("asks us to wait 61 s.");
  await page.waitForTimeout(1_500);
  await expect(failure(page)).toContainText("asks us to wait 61 s.");
  await expect(failure(page).getByRole("button").first()).toHaveText("Try again");
});

test("tries in vain are one line each above their question, for eyes, ears and a search", async ({
  page,
}) => {
  await script(page, [{ fail: "serverFailed" }], [{ fail: "unreachable" }], [{ say: "Eleven." }]);
  await ask(page, "How many bills?");
  await failure(page).getByRole("button", { name: "Try again" }).click();
  await expect(failure(page)).toContainText("Can't reach");
  await failure(page).getByRole("button", { name: "Try again" }).click();
  await expect(transcript(page).getByText("Eleven.")).toBeVisible();
  await expect(composer(page)).toBeFocused();
  await expect(questions(page)).toHaveCount(1);
  await expect(transcript(page).getByRole("heading", { name: "You asked: How many bills?" })).toHaveCount(1);
  const turns = transcript(page).getByRole("article");
  await expect(turns).toHaveCount(3);
  await expect(turns.nth(0)).toHaveAccessibleName(/^Tried at .*: the server failed$/);
  await expect(turns.nth(1)).toHaveAccessibleName(/^Tried at .*: nothing answered$/);
  await expect(turns.nth(1)).toHaveAttribute("aria-posinset", "2");
  await expect(turns.nth(2)).toHaveAccessibleName("You asked: How many bills?");
  await expect(page.getByRole("alert").filter({ hasText: "isn't answering" })).toHaveCount(0);

  const first = (await turns.nth(0).getAttribute("data-turn")) ?? "";
  await page.evaluate((goal) => {
    location.hash = `${location.hash}?m=${goal}`;
  }, first);
  await expect(transcript(page).locator(".found")).toContainText("How many bills?");
});

test("a try that left something to read stays as it was", async ({ page }) => {
  await script(page, [{ say: "I begin" }, { fail: "streamCut" }], [{ say: "Eleven." }]);
  await ask(page, "How many bills?");
  await failure(page).getByRole("button", { name: "Try again" }).click();
  await expect(transcript(page).getByText("Eleven.")).toBeVisible();
  await expect(transcript(page).getByText("I begin")).toBeVisible();
  await expect(questions(page)).toHaveCount(2);
});

test("Try again answers the same question", async ({ page }) => {
  await script(page, [{ fail: "serverFailed" }], [{ say: "Eleven." }]);
  await ask(page, "How many bills?");
  await transcript(page).getByRole("button", { name: "Try again" }).click();
  await expect(transcript(page).getByText("Eleven.")).toBeVisible();
});

test("a message that the core did not take stays, can be sent again or edited, also after a reload", async ({
  page,
}) => {
  await core(page, (hook) => hook.fail("turn_send", "storageUnavailable"), null);
  await ask(page, "How many bills?");
  const words = page.getByText("Nothing can be saved: the disk is full or the folder can't be written.");
  await expect(words.first()).toBeVisible();
  await page.reload();
  await expect(page.getByText("How many bills?", { exact: true }).first()).toBeVisible();
  await page.getByRole("button", { name: "Edit", exact: true }).click();
  await expect(composer(page)).toHaveValue("How many bills?");
  await script(page, [{ say: "Eleven." }]);
  await composer(page).press("Enter");
  await expect(transcript(page).getByText("Eleven.")).toBeVisible();
  await expect(transcript(page).getByText("How many bills?", { exact: true })).toHaveCount(1);
});

test("offline, a message waits over a reload and goes when the network is back", async ({
  page,
  context,
}) => {
  await context.setOffline(true);
  await ask(page, "How many bills?");
  await expect(
    page.getByText("It goes when you’re back").or(page.getByText("1 message waits.")),
  ).toBeVisible();
  expect(await core(page, (hook) => hook.calls.some((call) => call.command === "turn_send"), null)).toBe(
    false,
  );
  await script(page, [{ say: "Eleven." }]);
  await context.setOffline(false);
  await expect(transcript(page).getByText("Eleven.")).toBeVisible();
  await expect(transcript(page).getByText("How many bills?", { exact: true })).toHaveCount(1);
});

test("a chat that cannot be opened says why and is opened on demand", async ({ page }) => {
  const id = await core(
    page,
    (hook) => hook.addSession("Bills", [{ question: "a", answer: "Eleven." }]),
    null,
  );
  await core(page, (hook) => hook.fail("session_open", "databaseDamaged"), null);
  await page.evaluate((sessionId) => {
    location.hash = `#/c/${sessionId}`;
  }, id);
  await expect(page.getByText("The file with your chats is damaged. A copy was kept.")).toBeVisible();
  await page.getByRole("main").getByRole("button", { name: "Try again" }).click();
  await expect(transcript(page).getByText("Eleven.")).toBeVisible();
});
