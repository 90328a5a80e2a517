/** The layouts that are known, as data. */
import type { Preset } from "../preset.ts";
import { claudeDesktop } from "./claude-desktop.ts";
import { claudeProject } from "./claude-project.ts";
import { codeflowmuDispatch } from "./codeflowmu-dispatch.ts";
import { hermes } from "./hermes.ts";
import { lifecycleFolders } from "./lifecycle-folders.ts";
import { openclawJson } from "./openclaw-json.ts";
import { qwenCode } from "./qwen-code.ts";

export { claudeDesktop, claudeProject, codeflowmuDispatch, hermes, lifecycleFolders, openclawJson, qwenCode };
export { customPreset, type CustomAnswer, type CustomWords } from "./custom.ts";

/** Sorted by id. */
export const PRESETS: readonly Preset[] = [claudeDesktop, claudeProject, codeflowmuDispatch, hermes, lifecycleFolders, openclawJson, qwenCode];
