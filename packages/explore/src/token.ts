/**
 * An execution as one line that survives a chat, a shell and a mail: what was searched, with which faults, the choices, and the
 * hash of the trace that comes out. A check sum tells a damaged line from a stale one. No spaces, quotes or line ends in it.
 *
 *     casebook-1.<system>.<kernel>.<source>.<faults>.<choices>.<trace>.<sum>
 */
import { type ArmedFault, FAULT_KINDS, RunningHash } from "@casebook/sim/kernel";

/** Goes up when the same choices may lead elsewhere: another order of options, another step. */
export const KERNEL_VERSION = 1;
const FORMAT = "casebook-1";

export interface Token {
  readonly system: string;
  /** Of the kernel that made it. */
  readonly kernel: number;
  /** Hash of the source of the case, as whoever made it computed it; "" when nobody did. */
  readonly source: string;
  readonly faults: readonly ArmedFault[];
  readonly choices: readonly number[];
  /** 16 hexadecimal digits. */
  readonly trace: string;
}

export type ReadToken =
  | { readonly outcome: "token"; readonly token: Token }
  /** It is no token, or one that was damaged on its way. */
  | { readonly outcome: "unusable"; readonly code: TokenError; readonly message: string };

export type TokenError = "TOKEN_FOREIGN" | "TOKEN_VERSION" | "TOKEN_TRUNCATED" | "TOKEN_DAMAGED";

export function tokenText(token: Token): string {
  const { system, kernel, source, faults, choices, trace } = token;
  const faultsText = faults.length === 0 ? "" : toBase64Url(new TextBytes(JSON.stringify(faults)).bytes);
  const body = [FORMAT, system.replaceAll("/", ":"), String(kernel), source, faultsText, toBase64Url(packed(choices)), trace].join(".");
  return `${body}.${sumOf(body)}`;
}

/** Never throws. */
export function readToken(text: string): ReadToken {
  const line = text.trim();
  const parts = line.split(".");
  const [format = "", system = "", kernel = "", source = "", faults = "", choices = "", trace = "", sum = ""] = parts;
  if (!/^casebook-\d+$/.test(format)) return unusable("TOKEN_FOREIGN", `a token begins with ${FORMAT}, this text with ${JSON.stringify(line.slice(0, 20))}. Copy the whole line behind \`casebook replay\`.`);
  if (format !== FORMAT) return unusable("TOKEN_VERSION", `it is of format ${format}, and this casebook reads ${FORMAT}. Replay it with the version that printed it.`);
  if (parts.length < 8 || sum.length < 8) return unusable("TOKEN_TRUNCATED", `its end is missing: ${parts.length < 8 ? `${parts.length} of 8 parts are there` : "its last part is cut short"}. Copy the whole line.`);
  const body = parts.slice(0, 7).join(".");
  if (parts.length > 8 || sumOf(body) !== sum) return unusable("TOKEN_DAMAGED", "its check sum does not fit: a character was changed, lost or added on the way. Copy it again.");
  try {
    const read = {
      system: system.replaceAll(":", "/"),
      kernel: Number(kernel),
      source,
      faults: faults === "" ? [] : checkedFaults(JSON.parse(textOf(fromBase64Url(faults)))),
      choices: unpacked(fromBase64Url(choices)),
      trace,
    };
    return { outcome: "token", token: read };
  } catch (failure) {
    // The sum fits, so somebody made it by hand or another program did.
    return unusable("TOKEN_DAMAGED", `its parts cannot be read (${failure instanceof Error ? failure.message : String(failure)}). Copy it again.`);
  }
}

function unusable(code: TokenError, why: string): ReadToken {
  return { outcome: "unusable", code, message: `${code}: this is no token that can be replayed; ${why}` };
}

function checkedFaults(value: unknown): ArmedFault[] {
  if (!Array.isArray(value)) throw new Error("the faults are no list");
  for (const [position, fault] of (value as ArmedFault[]).entries()) {
    if (!isFault(fault ?? {}, position, value.length)) throw new Error(`no such fault: ${JSON.stringify(fault)}`);
  }
  return value as ArmedFault[];
}

function isFault({ at, kind, nth = 1, times = 1, after, forMs = 0, byMs = 0, process = "", until = "", errno = "", service = "" }: ArmedFault, position: number, count: number): boolean {
  const areTexts = [at, process, until, errno, service].every((text) => typeof text === "string");
  const areCounts = [nth, times].every((number) => Number.isInteger(number) && number >= 1);
  const isBehindAnother = after === undefined || (Number.isInteger(after) && after >= 0 && after < count && after !== position);
  return areTexts && FAULT_KINDS.includes(kind) && areCounts && isBehindAnother && Number.isFinite(forMs) && forMs >= 0 && Number.isFinite(byMs);
}

function sumOf(body: string): string {
  const hash = new RunningHash();
  hash.text(body);
  return hash.digits().slice(0, 8);
}

/** Seven bits a byte, the highest bit set when more follow. */
function packed(choices: readonly number[]): Uint8Array {
  const bytes: number[] = [];
  for (const choice of choices) {
    let rest = choice;
    while (rest > 0x7f) {
      bytes.push((rest & 0x7f) | 0x80);
      rest = Math.floor(rest / 0x80);
    }
    bytes.push(rest);
  }
  return Uint8Array.from(bytes);
}

function unpacked(bytes: Uint8Array): number[] {
  const choices: number[] = [];
  let value = 0;
  let scale = 1;
  for (const byte of bytes) {
    value += (byte & 0x7f) * scale;
    if ((byte & 0x80) !== 0) {
      scale *= 0x80;
      if (scale > 2 ** 42) throw new Error("a choice is too large");
      continue;
    }
    choices.push(value);
    value = 0;
    scale = 1;
  }
  if (scale !== 1) throw new Error("the last choice is cut");
  return choices;
}

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

// Written out, because what every host has (btoa, Buffer) differs, and this file runs in all of them.
function toBase64Url(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += 3) {
    const [one = 0, two = 0, three = 0] = bytes.subarray(at, at + 3);
    const word = (one << 16) | (two << 8) | three;
    const digits = Math.min(4, bytes.length - at + 1);
    for (let digit = 0; digit < digits; digit += 1) text += ALPHABET[(word >> (18 - 6 * digit)) & 63];
  }
  return text;
}

function fromBase64Url(text: string): Uint8Array {
  const bytes: number[] = [];
  for (let at = 0; at < text.length; at += 4) {
    const digits = [...text.slice(at, at + 4)].map((character) => ALPHABET.indexOf(character));
    if (digits.includes(-1) || digits.length === 1) throw new Error("a character is not of base64url");
    const word = digits.reduce((sum, digit, index) => sum | (digit << (18 - 6 * index)), 0);
    for (let byte = 0; byte < digits.length - 1; byte += 1) bytes.push((word >> (16 - 8 * byte)) & 255);
  }
  return Uint8Array.from(bytes);
}

/** UTF-8 by hand for the same reason. */
class TextBytes {
  readonly bytes: Uint8Array;

  constructor(text: string) {
    const escaped = encodeURIComponent(text);
    const bytes: number[] = [];
    for (let at = 0; at < escaped.length; at += 1) {
      if (escaped[at] !== "%") bytes.push(escaped.charCodeAt(at));
      else {
        bytes.push(Number.parseInt(escaped.slice(at + 1, at + 3), 16));
        at += 2;
      }
    }
    this.bytes = Uint8Array.from(bytes);
  }
}

function textOf(bytes: Uint8Array): string {
  return decodeURIComponent([...bytes].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join(""));
}
