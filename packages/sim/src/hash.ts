/**
 * A running hash in plain JavaScript, so that it is the same in every engine and browser.
 * Two 32-bit lanes, each step a bijection of the lane: one changed word always changes the result.
 * For telling runs apart by accident; not for anybody who tries to collide it.
 */
export class RunningHash {
  #first = 0x9e3779b9 | 0;
  #second = 0x85ebca6b | 0;

  word(word: number): void {
    const first = Math.imul(this.#first ^ word, 0x9e3779b1);
    this.#first = (first << 13) | (first >>> 19);
    const second = Math.imul(this.#second ^ word, 0xc2b2ae35);
    this.#second = (second << 17) | (second >>> 15);
  }

  /** UTF-16 code units, preceded by their count, so that "ab" + "c" differs from "a" + "bc". */
  text(text: string): void {
    this.word(text.length);
    for (let index = 0; index < text.length; index += 1) this.word(text.charCodeAt(index));
  }

  /** Four bytes a step: a 50 MB read costs well under half a second. */
  bytes(bytes: Uint8Array): void {
    const whole = bytes.length - (bytes.length % 4);
    this.word(bytes.length);
    // The lanes are kept in locals: a field write per step costs a third of the speed.
    let one = this.#first;
    let two = this.#second;
    for (let index = 0; index < whole; index += 4) {
      const word =
        bytes[index]! | (bytes[index + 1]! << 8) | (bytes[index + 2]! << 16) | (bytes[index + 3]! << 24);
      const first = Math.imul(one ^ word, 0x9e3779b1);
      one = (first << 13) | (first >>> 19);
      const second = Math.imul(two ^ word, 0xc2b2ae35);
      two = (second << 17) | (second >>> 15);
    }
    this.#first = one;
    this.#second = two;
    for (let index = whole; index < bytes.length; index += 1) this.word(bytes[index]!);
  }

  /** 16 hexadecimal digits. The running state is left alone. */
  digits(): string {
    return hex(finish(this.#first)) + hex(finish(this.#second ^ this.#first));
  }
}

export function hashOfBytes(bytes: Uint8Array): string {
  const hash = new RunningHash();
  hash.bytes(bytes);
  return hash.digits();
}

function finish(lane: number): number {
  const mixed = Math.imul(lane ^ (lane >>> 16), 0x85ebca6b);
  return mixed ^ (mixed >>> 13);
}

function hex(lane: number): string {
  return (lane >>> 0).toString(16).padStart(8, "0");
}
