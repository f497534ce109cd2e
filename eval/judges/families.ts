// The maker of a model by its name: the first family of which a part of the name is in it; none where no family fits.
export function familyOf(model: string, families: Record<string, string[]>): string | undefined {
  const name = model.toLowerCase()
  return Object.entries(families).find(([, parts]) => parts.some(part => name.includes(part.toLowerCase())))?.[0]
}
