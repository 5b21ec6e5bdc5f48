import { expect, test } from "@playwright/test";
import type { ApiError } from "../src/protocol/bindings";
import { ask, composer, core, openApp, script, transcript } from "./app";

const newer: ApiError = {
  code: "databaseNewer",
  message: "the chats were written by version 9",
  hint: "Install the newer version to open them.",
  retryAfterMs: null,
};
const damaged: ApiError = {
  code: "databaseDamaged",
  message: "the database was damaged",
  hint: "212 of 214 messages were saved.",
  retryAfterMs: null,
};

test("a core that cannot start says why, and can be tried again", async ({ page }) => {
  await openApp(page, { failure: newer });
  const why = page.getByRole("alert");
  await expect(why).toContainText("The chats were written by version 9.");
  await expect(why).toContainText("Install the newer version to open them.");
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(composer(page)).toBeVisible();
});

test("what the start has to tell stays until it is closed", async ({ page }) => {
  await openApp(page, { notes: [damaged] });
  const note = page.getByText(
    "The file with your chats is damaged. A copy was kept. 212 of 214 messages were saved.",
  );
  await expect(note).toBeVisible();
  await page.getByRole("button", { name: "Close this note" }).click();
  await expect(note).toHaveCount(0);
});

test("quitting over a running answer asks, names it, and staying changes nothing", async ({ page }) => {
  await openApp(page);
  await script(page, [{ say: "Slowly, slowly. ".repeat(10), perSecond: 30 }]);
  await ask(page, "Take your time");
  await expect(transcript(page).getByText("Slowly").first()).toBeVisible();
  await core(page, (hook) => hook.askToQuit(["Take your time"]), null);
  const dialog = page.getByRole("dialog", { name: "Stop and quit?" });
  await expect(dialog.getByRole("listitem")).toHaveText(["Take your time"]);
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  const quits = () =>
    core(page, (hook) => hook.calls.filter((call) => call.command === "app_quit").length, null);
  expect(await quits()).toBe(0);
  await core(page, (hook) => hook.askToQuit(["Take your time"]), null);
  await dialog.getByRole("button", { name: "Stop and quit" }).click();
  expect(await quits()).toBe(1);
});
