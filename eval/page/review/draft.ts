// A draft in the memory of the browser, which a reload does not lose.
export function openDraft<Draft>(name: string): { read(): Draft | undefined; write(draft: Draft | undefined): void } {
  return {
    read() {
      try {
        return JSON.parse(localStorage.getItem(name) ?? 'null') ?? undefined
      } catch {
        return undefined
      }
    },
    write(draft) {
      try {
        localStorage.setItem(name, JSON.stringify(draft ?? null))
      } catch {} // no memory, or a full one: the words are still on the page
    },
  }
}
