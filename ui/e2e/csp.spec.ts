import { expect, test } from "@playwright/test";
import { ask, openApp, script, transcript } from "./app";

/** The policy of the desktop window. */
const policy = [
  "default-src 'self'",
  "img-src 'self' blob: data:",
  "style-src 'self' 'unsafe-inline'",
  "font-src 'self'",
  "connect-src ipc: http://ipc.localhost",
  "worker-src 'self'",
  "object-src 'none'",
].join("; ");

const answer = [
  "A program:",
  "```ts",
  "export const two: number = 1 + 1;",
  "```",
  "a formula $$x^2 + y_1$$ and a table",
  "",
  "| a | b |",
  "|---|---:|",
  "| 1 | 2 |",
  "",
  "```mermaid",
  "graph LR; A-->B",
  "```",
  "",
  "The end.",
].join("\n");

test("the page lives under the strict policy: no inline script, no eval, nothing from outside", async ({
  page,
}) => {
  await page.route("**/", async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, headers: { ...response.headers(), "content-security-policy": policy } });
  });
  const refused: string[] = [];
  await page.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", (event) => {
      console.error(
        `refused ${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`,
      );
    });
  });
  page.on("console", (message) => {
    if (message.text().startsWith("refused")) refused.push(message.text());
  });
  await openApp(page);
  await script(page, [{ say: answer, perSecond: 400 }]);
  await ask(page, "Show me everything");
  await expect(transcript(page).getByText("The end.")).toBeVisible();
  await expect(transcript(page).locator(".katex").first()).toBeVisible();
  await expect(
    transcript(page).locator("svg[id*=mermaid], [aria-roledescription*=flowchart]").first(),
  ).toBeAttached({
    timeout: 20_000,
  });
  await page.keyboard.press("Control+k");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+,");
  await expect(page.getByRole("heading", { name: "General" })).toBeVisible();
  expect(refused).toEqual([]);

  const ran = await page.evaluate(() => {
    const inline = document.createElement("script");
    inline.textContent = "window.__test = 'ran'";
    document.body.append(inline);
    return window.__test;
  });
  expect(ran, "the policy is in force").toBeUndefined();
});
