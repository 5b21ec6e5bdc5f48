/** Draws diagrams. Loaded when the first one comes into view. */

export type Drawing = { ok: true; svg: SVGElement } | { ok: false; message: string };

const MAX_SOURCE_LENGTH = 20_000;

type Mermaid = typeof import("mermaid").default;

let loading: Promise<Mermaid> | null = null;
let nextId = 1;

function load(): Promise<Mermaid> {
  loading ??= import("mermaid").then((module) => module.default);
  return loading;
}

/** A token as the plain colour that Mermaid calculates with. */
function colourOf(token: string): string {
  const canvas = document.createElement("canvas");
  canvas.width = 1;
  canvas.height = 1;
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (!context) return "#888888";
  context.fillStyle = getComputedStyle(document.documentElement).getPropertyValue(token).trim();
  context.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0] = context.getImageData(0, 0, 1, 1).data;
  return `rgb(${red}, ${green}, ${blue})`;
}

function configure(mermaid: Mermaid): void {
  const ink = colourOf("--ink");
  mermaid.initialize({
    startOnLoad: false,
    securityLevel: "strict",
    suppressErrorRendering: true,
    htmlLabels: false,
    flowchart: { htmlLabels: false },
    maxTextSize: MAX_SOURCE_LENGTH,
    maxEdges: 300,
    theme: "base",
    themeVariables: {
      fontFamily: "Anek, system-ui, sans-serif",
      fontSize: "14px",
      background: colourOf("--raised"),
      primaryColor: colourOf("--neeli-wash"),
      primaryBorderColor: colourOf("--neeli-line"),
      primaryTextColor: ink,
      secondaryColor: colourOf("--sunken"),
      tertiaryColor: colourOf("--canvas"),
      lineColor: colourOf("--ink-3"),
      textColor: ink,
      edgeLabelBackground: colourOf("--raised"),
      noteBkgColor: colourOf("--sunken"),
      noteTextColor: ink,
      noteBorderColor: colourOf("--line-strong"),
    },
  });
}

export async function drawDiagram(source: string): Promise<Drawing> {
  if (source.length > MAX_SOURCE_LENGTH) return { ok: false, message: "The diagram is too long to draw." };
  const id = `diagram-${nextId}`;
  nextId += 1;
  try {
    const mermaid = await load();
    configure(mermaid);
    const { svg } = await mermaid.render(id, source);
    return harmless(svg);
  } catch (error) {
    return { ok: false, message: messageOf(error) };
  } finally {
    // A failed drawing leaves its workplace in the page.
    document.getElementById(`d${id}`)?.remove();
  }
}

function messageOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  // What the parser would have taken instead is a list of its inner names.
  const [told = ""] = text.split(/\nExpecting /, 1);
  return told.split("\n").slice(0, 4).join("\n").trim() || "The diagram could not be read.";
}

const FORBIDDEN = "script, foreignObject, image, iframe, object, embed, use, animate, set, link, a[href]";

/** The drawing as elements, without anything that acts or fetches. Mermaid has cleaned it; this trusts nobody. */
export function harmless(svg: string): Drawing {
  const root = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
  if (root.nodeName.toLowerCase() !== "svg") return { ok: false, message: "The diagram could not be drawn." };
  for (const element of root.querySelectorAll(FORBIDDEN)) element.remove();
  for (const element of [root, ...root.querySelectorAll("*")]) {
    for (const { name, value } of [...element.attributes]) {
      const reference = /href$|^src$/i.test(name) && !value.startsWith("#");
      if (/^on/i.test(name) || reference || /url\((?!["']?#)/i.test(value)) element.removeAttribute(name);
    }
    if (element.nodeName.toLowerCase() === "style") {
      element.textContent = (element.textContent ?? "").replace(
        /@import[^;]*;?|url\((?!["']?#)[^)]*\)/gi,
        "",
      );
    }
  }
  return { ok: true, svg: document.importNode(root, true) as unknown as SVGElement };
}
