import { expect, test } from "@playwright/test";
import { addChats, openApp, problems, sidebar } from "./app";

const routes = [
  "/",
  "/search?q=bills",
  "/settings/general",
  "/settings/providers",
  "/settings/models",
  "/settings/status",
  "/welcome",
];

for (const colorScheme of ["light", "dark"] as const) {
  for (const path of routes) {
    test(`axe finds nothing on ${path} by ${colorScheme === "light" ? "day" : "night"}`, async ({ page }) => {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await openApp(page, { path });
      await addChats(page, "Bills", "Recipes");
      await expect(page.getByRole("main")).toBeVisible();
      await page.waitForTimeout(300);
      expect(await problems(page)).toEqual([]);
    });
  }

  test(`axe finds nothing in a chat by ${colorScheme === "light" ? "day" : "night"}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await openApp(page);
    await addChats(page, "Bills");
    await sidebar(page).getByRole("link", { name: "Bills" }).click();
    await expect(page.getByText("All there is to say on Bills.")).toBeVisible();
    expect(await problems(page)).toEqual([]);
  });
}
