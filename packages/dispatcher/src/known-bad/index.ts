export const KNOWN_BAD_DISPATCHERS: readonly { name: string; policies: object }[] = [];
