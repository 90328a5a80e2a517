/** Where to look when nobody says: the places of the presets on this machine, as tree paths, given everything. */
import type { Preset } from "../preset.ts";
import { treePathOf } from "./tree-path.ts";

export interface PlacesEnvironment {
  /** As the machine writes it. */
  readonly home: string;
  readonly platform: string;
  /** `APPDATA` and `LOCALAPPDATA` on Windows; by default where they are unless somebody moved them. */
  readonly appData?: string | undefined;
  readonly localAppData?: string | undefined;
  /** `CLAUDE_CONFIG_DIR`, which stands for `~/.claude`. */
  readonly claudeConfigDir?: string | undefined;
}

/** Each once, in the order of the presets. A place need not be there. A system that the presets do not know is taken as linux. */
export function usualPlaces(environment: PlacesEnvironment, presets: readonly Pick<Preset, "places">[]): string[] {
  const { platform } = environment;
  const system = platform === "win32" || platform === "darwin" ? platform : "linux";
  const places = presets.flatMap((preset) => preset.places[system]);
  return [...new Set(places.map((place) => treePathOf(placed(place, environment), platform)))];
}

/** The longest of the moved folders that the place stands in, or home. */
function placed(place: string, environment: PlacesEnvironment): string {
  const { home, appData, localAppData, claudeConfigDir } = environment;
  const plain = place.replaceAll("\\", "/");
  const moved: readonly (readonly [string, string | undefined])[] = [
    ["~/AppData/Roaming", appData],
    ["%APPDATA%", appData ?? `${home}/AppData/Roaming`],
    ["~/AppData/Local", localAppData],
    ["%LOCALAPPDATA%", localAppData ?? `${home}/AppData/Local`],
    ["~/.claude", claudeConfigDir],
    ["~", home],
  ];
  for (const [prefix, folder] of moved) {
    if (folder !== undefined && folder !== "" && (plain === prefix || plain.startsWith(`${prefix}/`))) {
      return `${folder}${plain.slice(prefix.length)}`;
    }
  }
  return plain;
}
