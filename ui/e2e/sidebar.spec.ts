import { expect, test } from "@playwright/test";
import { addChats, ask, composer, core, openApp, script, sidebar } from "./app";

test.beforeEach(async ({ page }) => {
  await openApp(page);
  await addChats(page, "Bills", "Recipes", "Kannada verbs");
});

test("F2 renames in place; a key of an input method does not end it", async ({ page }) => {
  await sidebar(page).getByRole("link", { name: "Recipes" }).focus();
  await page.keyboard.press("F2");
  const title = page.getByRole("textbox", { name: "Title of the chat" });
  await expect(title).toBeFocused();
  await title.fill("ಅಡುಗೆ");
  await title.evaluate((input) => {
    const key = (init: KeyboardEventInit) =>
      input.dispatchEvent(new KeyboardEvent("keydown", { bubbles: true, ...init }));
    key({ key: "Enter", isComposing: true });
    key({ key: "Enter", keyCode: 229 } as KeyboardEventInit);
    input.dispatchEvent(new CompositionEvent("compositionend", { bubbles: true }));
    key({ key: "Enter" });
  });
  await expect(title).toBeFocused();
  await page.waitForTimeout(50);
  await title.press("Enter");
  await expect(sidebar(page).getByRole("link", { name: "ಅಡುಗೆ" })).toBeFocused();
  expect(await core(page, (hook) => hook.core.state().sessions.map((item) => item.title), null)).toContain(
    "ಅಡುಗೆ",
  );
});

test("Esc takes a rename back, and an empty title is not kept", async ({ page }) => {
  await sidebar(page).getByRole("link", { name: "Bills" }).focus();
  await page.keyboard.press("F2");
  const title = page.getByRole("textbox", { name: "Title of the chat" });
  await expect(title).toBeFocused();
  await page.keyboard.type("Something else");
  await page.keyboard.press("Escape");
  await expect(sidebar(page).getByRole("link", { name: "Bills" })).toBeFocused();
  await page.keyboard.press("F2");
  await title.fill("  ");
  await page.keyboard.press("Enter");
  await expect(sidebar(page).getByRole("link", { name: "Bills" })).toBeVisible();
});

test("a deleted chat comes back with Undo", async ({ page }) => {
  await sidebar(page).getByRole("link", { name: "Bills" }).click();
  await expect(composer(page)).toBeFocused();
  await sidebar(page).getByRole("button", { name: "Actions for Bills" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await expect(sidebar(page).getByRole("link", { name: "Bills" })).toHaveCount(0);
  await expect(composer(page)).toBeVisible();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(sidebar(page).getByRole("link", { name: "Bills" })).toHaveAttribute("aria-current", "page");
});

test("a rename that the core refuses is taken back and told", async ({ page }) => {
  await core(page, (hook) => hook.fail("session_rename", "storageUnavailable"), null);
  await sidebar(page).getByRole("link", { name: "Bills" }).focus();
  await page.keyboard.press("F2");
  await expect(page.getByRole("textbox", { name: "Title of the chat" })).toBeFocused();
  await page.keyboard.type("Other");
  await page.keyboard.press("Enter");
  await expect(page.getByText(/Nothing can be saved/).first()).toBeVisible();
  await expect(sidebar(page).getByRole("link", { name: "Bills" })).toBeVisible();
});

test("a list that cannot be read says so and is asked for again", async ({ page }) => {
  await core(page, (hook) => hook.fail("session_list", "internal"), null);
  await core(page, (hook) => hook.core.changed("sessions"), null);
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(sidebar(page).getByRole("link", { name: "Bills" })).toBeVisible();
});

test("chats are grouped, counted keys open them, Ctrl+B hides the list", async ({ page }) => {
  await expect(sidebar(page).getByRole("heading", { name: "Today" })).toBeVisible();
  await page.keyboard.press("Control+2");
  await expect(page.getByRole("heading", { name: "Recipes", level: 1 })).toBeVisible();
  await page.keyboard.press("Control+b");
  await expect(sidebar(page)).toHaveCount(0);
  await page.getByRole("button", { name: "Show sidebar" }).click();
  await expect(sidebar(page)).toBeVisible();
});

test("a chat at work and a new answer are told in the list", async ({ page }) => {
  await script(page, [{ say: "Slowly, slowly. ".repeat(12), perSecond: 20 }]);
  await ask(page, "Take your time");
  const row = sidebar(page).getByRole("link", { name: /Take your time/ });
  await expect(sidebar(page).getByRole("region", { name: "Running" }).getByRole("link")).toHaveCount(1);
  await sidebar(page).getByRole("link", { name: "Bills" }).click();
  await expect(row).toHaveAccessibleName("Take your time new answer");
  await row.click();
  await expect(row).toHaveAccessibleName("Take your time");
});

test("a chat that is gone says so", async ({ page }) => {
  await page.goto("/#/c/ses_none");
  await expect(page.getByRole("heading", { name: "This chat no longer exists" })).toBeVisible();
});
