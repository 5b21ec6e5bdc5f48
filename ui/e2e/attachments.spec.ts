import { expect, type Locator, type Page, test } from "@playwright/test";
import { addChats, composer, core, openApp, script, sidebar, transcript } from "./app";

/** One red dot. */
const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==",
  "base64",
);
const photo = { name: "photo.png", mimeType: "image/png", buffer: PNG };
const notes = { name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("some words") };

/** Its bytes, or so many zeros. */
type Given = { name: string; content: string | number };

function chips(page: Page): Locator {
  return page.getByRole("form", { name: "Message" }).getByRole("list", { name: "Attachments" });
}

async function choose(page: Page, ...files: (typeof photo)[]): Promise<void> {
  await page.getByLabel("Files to attach").setInputFiles(files);
  await expect(chips(page).getByText("Reading…")).toHaveCount(0);
}

/** Drops files on an element, or pastes them into it. */
async function give(target: Locator, how: "drop" | "paste", files: readonly Given[]): Promise<void> {
  await target.evaluate(
    (element, { how: kind, files: given }) => {
      const transfer = new DataTransfer();
      for (const { name, content } of given) {
        const bytes =
          typeof content === "number"
            ? new Uint8Array(content)
            : Uint8Array.from(atob(content), (character) => character.charCodeAt(0));
        transfer.items.add(new File([bytes], name));
      }
      const options = { bubbles: true, cancelable: true };
      element.dispatchEvent(
        kind === "drop"
          ? new DragEvent("drop", { ...options, dataTransfer: transfer })
          : new ClipboardEvent("paste", { ...options, clipboardData: transfer }),
      );
    },
    { how, files },
  );
}

test("a draft with two files survives switching chats, a reload and a new process, and leaks nowhere", async ({
  page,
}) => {
  await openApp(page);
  await addChats(page, "Bills", "Recipes");
  await sidebar(page).getByRole("link", { name: "Bills" }).click();
  await choose(page, photo, notes);
  await composer(page).fill("about these");
  await expect(chips(page).getByRole("listitem")).toHaveCount(2);

  await sidebar(page).getByRole("link", { name: "Recipes" }).click();
  await expect(composer(page)).toHaveValue("");
  await expect(chips(page)).toHaveCount(0);

  await sidebar(page).getByRole("link", { name: "Bills" }).click();
  await expect(chips(page).getByRole("listitem")).toHaveText([/photo\.png/, /notes\.txt/]);
  await page.reload();
  await expect(composer(page)).toHaveValue("about these");
  await expect(chips(page).getByRole("listitem")).toHaveText([/photo\.png/, /notes\.txt/]);
  await expect(chips(page).locator("img")).toHaveJSProperty("naturalWidth", 1);

  await core(page, (hook) => hook.killCore(), null);
  await core(page, (hook) => hook.resumeCore(), null);
  await page.keyboard.press("Control+n");
  await expect(chips(page)).toHaveCount(0);
  await sidebar(page).getByRole("link", { name: "Bills" }).click();
  await expect(chips(page).getByRole("listitem")).toHaveCount(2);
});

test("files go with the message, are shown under it, and stay there", async ({ page }) => {
  await openApp(page);
  await script(page, [{ say: "A red dot." }]);
  await choose(page, photo, notes);
  await chips(page).getByRole("button", { name: "Remove notes.txt" }).click();
  await expect(chips(page).getByRole("listitem")).toHaveCount(1);
  // No words are needed.
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await expect(transcript(page).getByText("A red dot.")).toBeVisible();
  await expect(chips(page)).toHaveCount(0);
  const shown = transcript(page).getByRole("list", { name: "Attachments" });
  await expect(shown.getByRole("listitem")).toHaveText([/photo\.png/]);
  await page.reload();
  await expect(shown.locator("img")).toHaveJSProperty("naturalWidth", 1);
  await expect(sidebar(page).getByRole("link", { name: "photo.png" })).toBeVisible();
  const sent = await core(
    page,
    (hook) =>
      hook.core
        .state()
        .sessions.flatMap(({ turns }) => turns.flatMap(({ events }) => events))
        .flatMap((event) => (event.type === "turnStarted" ? event.attachments : [])),
    null,
  );
  expect(sent).toMatchObject([{ name: "photo.png", mediaType: "image/png", sizeBytes: PNG.length }]);
});

test("an image is pasted and three files are dropped; 48 MB is refused with the reason", async ({ page }) => {
  await openApp(page);
  await give(composer(page), "paste", [{ name: "image.png", content: PNG.toString("base64") }]);
  await expect(chips(page).getByRole("listitem")).toHaveText([/image\.png/]);
  const dropped = ["one", "two", "three"].map((name) => ({ name: `${name}.txt`, content: btoa(name) }));
  const chat = page.getByRole("region", { name: "Chat" });
  await give(chat, "drop", dropped);
  await expect(chips(page).getByRole("listitem")).toHaveCount(4);

  await give(chat, "drop", [{ name: "film.mp4", content: 48_000_000 }]);
  await expect(chips(page).getByRole("alert")).toHaveText("Not attached: 48 MB, limit 20 MB");
  await chips(page).getByRole("button", { name: "Remove film.mp4" }).click();
  await expect(chips(page).getByRole("listitem")).toHaveCount(4);
});

test("asked again without tools, a question keeps its files", async ({ page }) => {
  await openApp(page);
  await script(page, [{ fail: "toolsUnsupported" }], [{ say: "A cat." }]);
  await choose(page, photo);
  await composer(page).fill("What is this?");
  await composer(page).press("Enter");
  await transcript(page).getByRole("button", { name: "Ask without tools" }).click();
  await expect(transcript(page).getByText("A cat.")).toBeVisible();
  const sent = await core(
    page,
    (hook) => hook.calls.filter(({ command }) => command === "turn_send").map(({ args }) => args[0]),
    null,
  );
  const attachments = [{ name: "photo.png" }];
  expect(sent).toMatchObject([{ attachments }, { mode: "chat", attachments }]);
});

test("a message that waits or did not go comes back with its files", async ({ page }) => {
  await openApp(page);
  await script(page, [{ say: "A long answer. ".repeat(200), perSecond: 20 }]);
  await composer(page).fill("first");
  await composer(page).press("Enter");
  await expect(transcript(page).getByText("A long answer.").first()).toBeVisible();
  await choose(page, photo);
  await composer(page).fill("later");
  await composer(page).press("Enter");
  const waiting = page.getByRole("list", { name: "Waiting messages" });
  await expect(waiting).toContainText("1 file");
  await waiting.getByRole("button", { name: "Edit this message" }).click();
  await expect(composer(page)).toHaveValue("later");
  await expect(chips(page).getByRole("listitem")).toHaveText([/photo\.png/]);

  await core(page, (hook) => hook.fail("turn_send", "storageUnavailable"), null);
  await composer(page).press("Enter");
  await transcript(page).getByRole("button", { name: "Edit", exact: true }).click();
  await expect(composer(page)).toHaveValue("later");
  await expect(chips(page).getByRole("listitem")).toHaveText([/photo\.png/]);
});
