import type { Mode } from "@/protocol/bindings";
import type { Script } from "./script";

/** What the scripted core answers when no test told it what to do. Lets the interface be tried in a browser. */
export function demoScript(question: string, mode: Mode): Script {
  const asked = question.toLowerCase();
  if (mode === "agent" && /\b(move|rename|file|tidy)\b/.test(asked)) return tidyScript;
  if (mode === "agent" && /\b(space|download|folder|largest|list)/.test(asked)) return spaceScript;
  return talkScript(question);
}

const spaceScript: Script = [
  { think: "The person wants sizes. I list the folder first." },
  {
    tool: "list_dir",
    title: { doing: "Looking in Downloads", done: "Looked in Downloads" },
    input: { path: "~/Downloads" },
    fact: "43 files, 3 folders",
    ms: 400,
  },
  {
    tool: "run_shell",
    title: { doing: "Measuring folders", done: "Measured folders" },
    input: { command: "du -sh ~/Downloads/*" },
    fact: "6.1 GB in all",
    ms: 900,
  },
  {
    say: "Most of it is **two disk images**.\n\n| Name | Size |\n|---|---:|\n| debian-12.iso | 3.8 GB |\n| backup-old.img | 1.6 GB |\n| everything else | 0.7 GB |\n\nThe image from March was never opened again. Shall I put it in the bin?",
  },
];

const tidyScript: Script = [
  { say: "I looked at what is there and know where each bill belongs." },
  {
    tool: "list_dir",
    title: { doing: "Looking in Downloads", done: "Looked in Downloads" },
    input: { path: "~/Downloads" },
    fact: "43 files, 11 are bills",
    ms: 400,
  },
  {
    tool: "move_path",
    title: { doing: "Moving 3 files", done: "Moved 3 files" },
    input: { from: "~/Downloads", to: "~/Documents/Bills" },
    fact: "into Bills",
    ms: 300,
    ask: {
      sentence: "Move 3 files into Bills",
      reasons: ["The files are yours and were not made by the assistant."],
      preview: {
        type: "moves",
        moves: [
          ["~/Downloads/Bill_0423_1187.pdf", "~/Documents/Bills/2026-01 219 units.pdf"],
          ["~/Downloads/Bill_0523_2290 (1).pdf", "~/Documents/Bills/2026-02 211 units.pdf"],
          ["~/Downloads/scan0007.pdf", "~/Documents/Bills/2026-03 246 units.pdf"],
        ],
      },
      undo: "Can be undone for 30 days",
    },
  },
  { say: "Done: three bills are in **Bills**, named by month and units." },
];

function talkScript(question: string): Script {
  return [
    { context: 2_940, window: 32_768 },
    {
      say: `You asked: “${question}”.\n\nThis page runs without the assistant's core, so the answer is a sample. It shows what an answer is made of: a list,\n\n- one\n- two with \`code\`\n\na formula, $$s \\le \\frac{1}{1-p}$$ and a program:\n\n\`\`\`ts\nexport function greet(name: string): string {\n  return \`Namaskara, \${name}\`;\n}\n\`\`\`\n`,
    },
    {
      usage: {
        inputTokens: 812,
        outputTokens: 96,
        cachedTokens: 512,
        cacheWriteTokens: 0,
        reasoningTokens: 0,
      },
    },
  ];
}
