import { expect, test } from "@playwright/test";
import { addChats, composer, core, openApp, sidebar } from "./app";

test("the palette finds a chat and a command, and leaves an input method alone", async ({ page }) => {
  await openApp(page);
  await addChats(page, "Bills", "Recipes");
  await page.keyboard.press("Control+k");
  const box = page.getByRole("combobox", { name: "Search or run a command" });
  await expect(box).toBeFocused();
  await box.fill("recip");
  await expect(page.getByRole("option", { selected: true })).toHaveText("Recipes");
  await box.evaluate((input) => {
    const key = (init: KeyboardEventInit) =>
      input.dispatchEvent(new KeyboardEvent("keydown", { bubbles: true, ...init }));
    key({ key: "Enter", isComposing: true });
    key({ key: "Enter", keyCode: 229 } as KeyboardEventInit);
    input.dispatchEvent(new CompositionEvent("compositionend", { bubbles: true }));
    key({ key: "Enter" });
  });
  await expect(box).toBeVisible();
  await page.waitForTimeout(50);
  await box.press("Enter");
  await expect(page.getByRole("heading", { name: "Recipes", level: 1 })).toBeVisible();
  await page.keyboard.press("Control+k");
  await page.keyboard.type(">keyb");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog", { name: "Keyboard shortcuts" })).toBeVisible();
});

test("search opens the chat at the place where it was said", async ({ page }) => {
  await openApp(page);
  await addChats(page, "Bills", "Recipes");
  await page.keyboard.press("Control+Shift+f");
  await page.getByRole("searchbox", { name: "Search all chats" }).fill("say on recipes");
  await expect(page.getByRole("status").filter({ hasText: "1 place" })).toBeVisible();
  await page.getByRole("list", { name: "Found" }).getByRole("link").click();
  await expect(page).toHaveURL(/#\/c\/ses_\d+\?m=/);
});

test("search says when there is nothing", async ({ page }) => {
  await openApp(page, { path: "/search?q=zebra" });
  await expect(page.getByRole("heading", { name: "Nothing for “zebra”" })).toBeVisible();
});

test("the theme follows the setting at once, over a reload, without a flash", async ({ page }) => {
  await page.emulateMedia({ colorScheme: "light" });
  await openApp(page, { path: "/settings/general" });
  const theme = () => page.evaluate(() => document.documentElement.dataset.theme);
  await page.getByRole("radio", { name: "Night" }).click();
  await expect.poll(theme).toBe("dark");
  await page.addInitScript(() => {
    document.addEventListener("DOMContentLoaded", () => {
      window.__test = document.documentElement.dataset.theme;
    });
  });
  await page.reload();
  expect(await page.evaluate(() => window.__test)).toBe("dark");
  await page.getByRole("radio", { name: "System" }).click();
  await expect.poll(theme).toBe("light");
  await page.emulateMedia({ colorScheme: "dark" });
  await expect.poll(theme).toBe("dark");
});

test("a setting that the core refuses goes back and says why", async ({ page }) => {
  await openApp(page, { path: "/settings/general" });
  await core(page, (hook) => hook.fail("settings_set", "storageUnavailable"), null);
  await page.getByRole("radio", { name: "Night" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "Nothing can be saved" })).toBeVisible();
  await expect(page.getByRole("radio", { name: "System" })).toBeChecked();
});

test("the status page says what works and what to do", async ({ page }) => {
  await openApp(page);
  await sidebar(page).getByRole("link", { name: "Ollama is set up" }).click();
  const checks = page.getByRole("list", { name: "Checks" }).getByRole("listitem");
  await expect(checks.filter({ hasText: "Sandbox for commands" })).toContainText("Install bubblewrap.");
  await expect(sidebar(page).getByRole("link", { name: "Running, but for one thing" })).toBeVisible();
});

test("offline is told, with what still works", async ({ page, context }) => {
  await openApp(page);
  await context.setOffline(true);
  await expect(
    page.getByText("No connection. qwen3:14b runs on this computer and carries on."),
  ).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByText("No connection.")).toHaveCount(0);
});

test("F6 goes round the parts of the window", async ({ page }) => {
  await openApp(page);
  await composer(page).focus();
  await page.keyboard.press("F6");
  await expect(sidebar(page)).toBeFocused();
  await page.keyboard.press("F6");
  await expect(page.getByRole("main")).toBeFocused();
  await page.keyboard.press("F6");
  await expect(composer(page)).toBeFocused();
});

test("at 320 px the sidebar lies over the chat and nothing is cut", async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await openApp(page);
  await addChats(page, "Bills");
  await expect(sidebar(page)).toHaveCount(0);
  await page.getByRole("button", { name: "Show sidebar" }).click();
  await sidebar(page).getByRole("link", { name: "Bills" }).click();
  await expect(sidebar(page)).toHaveCount(0);
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(overflow).toBeLessThanOrEqual(0);
});
