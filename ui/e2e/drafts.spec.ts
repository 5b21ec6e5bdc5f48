import { expect, test } from "@playwright/test";
import { addChats, ask, composer, core, openApp, script, sidebar, transcript } from "./app";

test("a draft stays with its chat: over switching, a reload and a new process", async ({ page }) => {
  await openApp(page);
  await addChats(page, "Bills", "Recipes");
  await composer(page).fill("for a new chat");
  await sidebar(page).getByRole("link", { name: "Bills" }).click();
  await expect(composer(page)).toHaveValue("");
  await composer(page).fill("about the bills");
  await sidebar(page).getByRole("link", { name: "Recipes" }).click();
  await expect(composer(page)).toHaveValue("");
  await composer(page).fill("ಅಡುಗೆ ಬಗ್ಗೆ");
  await page.waitForTimeout(400);

  await page.reload();
  await expect(composer(page)).toHaveValue("ಅಡುಗೆ ಬಗ್ಗೆ");
  await sidebar(page).getByRole("link", { name: "Bills" }).click();
  await expect(composer(page)).toHaveValue("about the bills");
  await page.keyboard.press("Control+n");
  await expect(composer(page)).toHaveValue("for a new chat");

  await core(page, (hook) => hook.killCore(), null);
  await core(page, (hook) => hook.resumeCore(), null);
  await sidebar(page).getByRole("link", { name: "Bills" }).click();
  await expect(composer(page)).toHaveValue("about the bills");
});

test("a draft is with the core within 300 ms, and gone once it is sent", async ({ page }) => {
  await openApp(page);
  await script(page, [{ say: "Yes." }]);
  await composer(page).fill("Is it kept?");
  await expect
    .poll(() => core(page, (hook) => hook.core.state().drafts[""]?.text, null), { timeout: 1_000 })
    .toBe("Is it kept?");
  await composer(page).press("Enter");
  await expect(transcript(page).getByText("Yes.")).toBeVisible();
  await expect
    .poll(() =>
      core(
        page,
        (hook) =>
          Object.values(hook.core.state().drafts)
            .map(({ text }) => text)
            .join(""),
        null,
      ),
    )
    .toBe("");
  await page.keyboard.press("Control+n");
  await expect(composer(page)).toHaveValue("");
});

test("what is written while an answer arrives is not disturbed by it", async ({ page }) => {
  await openApp(page);
  await script(page, [{ say: "A long answer. ".repeat(60), perSecond: 120 }]);
  await ask(page, "Tell me");
  await expect(transcript(page).getByText("A long answer.").first()).toBeVisible();
  const typed = "Also tell me about the other one, in detail and at length";
  await composer(page).pressSequentially(typed, { delay: 10 });
  await expect(composer(page)).toHaveValue(typed);
});
