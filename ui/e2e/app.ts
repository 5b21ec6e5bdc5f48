import { AxeBuilder } from "@axe-core/playwright";
import { expect, type Locator, type Page, test } from "@playwright/test";
import type { Script, ScriptedHook } from "../src/platform/scripted";
import type { ApiError, FoundProvider } from "../src/protocol/bindings";

type Options = {
  /** Where to begin, without the hash. */
  readonly path?: string;
  /** Nothing is set up. */
  readonly firstRun?: boolean;
  readonly found?: readonly FoundProvider[];
  /** Why the core cannot start. */
  readonly failure?: ApiError;
  /** What the start has to tell. */
  readonly notes?: readonly ApiError[];
};

declare global {
  interface Window {
    /** What a script of a test may leave for itself. */
    __test?: unknown;
  }
}

/** Opens the built page with the scripted core. A reload keeps the state it left. */
export async function openApp(
  page: Page,
  { path = "/", firstRun = false, found = [], failure, notes = [] }: Options = {},
): Promise<void> {
  await page.addInitScript(
    ({ boot, welcomed }) => {
      window.__nammaBoot = boot;
      if (welcomed) localStorage.setItem("namma.welcomed", "yes");
    },
    {
      boot: { firstRun, found: [...found], notes: [...notes], ...(failure ? { failure } : {}) },
      welcomed: !firstRun,
    },
  );
  await page.goto(`/#${path}`);
  await page.waitForFunction(() => window.__namma !== undefined);
  // A new chat takes the focus once it is there; before that a test would be quicker than any person.
  if (path === "/" && !firstRun && !failure) await expect(composer(page)).toBeFocused();
}

/** How the next turns go. */
export async function script(page: Page, ...scripts: Script[]): Promise<void> {
  await core(page, (hook, given) => hook.script(...given), scripts);
}

/** Does something with the scripted core, inside the page. */
export async function core<T, A>(
  page: Page,
  run: (hook: ScriptedHook, argument: A) => T,
  argument: A,
): Promise<T> {
  const hook = await page.evaluateHandle(() => {
    if (!window.__namma) throw new Error("there is no scripted core");
    return window.__namma;
  });
  const call = run as (hook: unknown, argument: unknown) => unknown;
  return (await hook.evaluate(call, argument)) as T;
}

/** Stored chats, newest first in the list. */
export async function addChats(page: Page, ...titles: string[]): Promise<string[]> {
  return core(
    page,
    (hook, names) =>
      names.map((title, index) =>
        hook.addSession(
          title,
          [{ question: `About ${title}`, answer: `All there is to say on ${title}.` }],
          Date.now() - index * 60_000,
        ),
      ),
    titles,
  );
}

/** Opens a stored chat of this many turns at its end. */
export async function longChat(page: Page, turns: number): Promise<string> {
  const id = await core(
    page,
    (hook, count) =>
      hook.addSession(
        "Long chat",
        Array.from({ length: count }, (_, index) => ({
          question: `Question ${index + 1}`,
          answer: `Answer ${index + 1}.\n\n${"More words. ".repeat((index * 7) % 40)}`,
        })),
      ),
    turns,
  );
  await page.evaluate((session) => {
    location.hash = `/c/${session}`;
  }, id);
  await expect(transcript(page).getByText(`Question ${turns}`, { exact: true })).toBeVisible();
  return id;
}

export function composer(page: Page): Locator {
  return page.getByRole("form", { name: "Message" }).getByRole("textbox");
}

export async function ask(page: Page, text: string): Promise<void> {
  await composer(page).fill(text);
  await composer(page).press("Enter");
}

export function sidebar(page: Page): Locator {
  return page.getByRole("navigation", { name: "Chats and places" });
}

export function transcript(page: Page): Locator {
  return page.getByRole("log");
}

/** What the page itself is made of. */
const OWN_FILES = /^\/(index\.html|theme-first\.js|assets\/[^/]+)?$/;

/** The page asked nothing of the network beyond its own files: no other server, also not one on this computer. */
export function watchNetwork(page: Page): () => void {
  const own = new URL(test.info().project.use.baseURL ?? "").origin;
  const strangers: string[] = [];
  page.on("request", (request) => {
    const { protocol, origin, pathname, search } = new URL(request.url());
    if (protocol === "data:" || protocol === "blob:") return;
    if (origin !== own || search !== "" || !OWN_FILES.test(pathname)) strangers.push(request.url());
  });
  return () => expect(strangers).toEqual([]);
}

/** What axe finds wrong with the page. */
export async function problems(page: Page): Promise<unknown[]> {
  const { violations } = await new AxeBuilder({ page })
    .withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"])
    .analyze();
  return violations.map(({ id, nodes }) => ({ id, nodes: nodes.map((node) => node.html.slice(0, 200)) }));
}
