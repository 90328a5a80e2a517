/** Whether two texts are one: a number of each, so that neither is kept. Equal texts have equal numbers; others nearly never. */
export function fingerprint(text: string): string {
  let [one, other] = [0x811c9dc5, 0x9e3779b9];
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    one = Math.imul(one ^ unit, 0x01000193);
    other = Math.imul(other ^ unit, 0x85ebca6b) + index;
  }
  return `${text.length} ${one >>> 0} ${other >>> 0}`;
}
