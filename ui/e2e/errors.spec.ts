import { expect, test } from "@playwright/test";
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

const rows: readonly (readonly [code: ErrorCode, words: string, action: string])[] = [
  ["keyRefused", "api.example.com refused the key (401).", "Replace key"],
  ["noCredit", "The api.example.com account is out of credit.", "Open providers"],
  ["modelNotFound", "This account has no “big-model”.", "Pick a model"],
  ["badRequest", "api.example.com could not use this request.", "Edit question"],
  ["serverFailed", "api.example.com isn't answering.", "Try again"],
  ["unreachable", "Can't reach api.example.com.", "Try again"],
  ["streamCut", "The answer broke off.", "Try again"],
  ["malformed", "api.example.com sent something that isn't an answer.", "Try again"],
  ["contextTooLong", "This chat is longer than the model can read at once.", "New chat"],
];

test.beforeEach(async ({ page }) => {
  await openApp(page);
  await core(page, (hook, status) => hook.setProvider(status), remote);
});

for (const [code, words, action] of rows) {
  test(`${code}: the question stays, with the cause and a way on`, async ({ page }) => {
    await script(page, [{ fail: code }]);
    await ask(page, "How many bills?");
    await expect(transcript(page).getByText(words)).toBeVisible();
    await expect(transcript(page).getByText("How many bills?", { exact: true })).toBeVisible();
    await expect(transcript(page).getByRole("button", { name: action }).first()).toBeVisible();
  });
}

test("a full wait counts down and then goes by itself", async ({ page }) => {
  const error = { code: "rateLimited", message: "ask the model", hint: null, retryAfterMs: 2_000 } as const;
  await script(page, [{ fail: error }], [{ say: "Eleven." }]);
  await ask(page, "How many bills?");
  await expect(transcript(page).getByText(/asks us to wait \d s\./)).toBeVisible();
  await expect(transcript(page).getByText("Eleven.")).toBeVisible();
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
