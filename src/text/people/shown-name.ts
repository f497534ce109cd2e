import { capitalised, inNameCase, nameForm } from './name-form.ts'

export interface ShownName {
  name: string
  role?: string
}

const wholeName = new RegExp(`^${capitalised}$`, 'u')
const roles =
  /\b(?:baker|teacher|professor|doctor|nurse|farmer|driver|pilot|cook|chef|author|writer|journalist|reporter|editor|producer|director|manager|president|chair(?:man|woman|person)?|ceo|cto|cfo|founder|co-founder|engineer|scientist|biologist|chemist|physicist|economist|historian|analyst|researcher|lecturer|student|lawyer|attorney|judge|minister|mayor|senator|governor|secretary|spokes(?:man|woman|person)|ambassador|artist|painter|musician|singer|actor|actress|dancer|designer|architect|photographer|curator|librarian|fisher(?:man|woman)|sailor|captain|guide|gardener|carpenter|mechanic|electrician|plumber|surgeon|dentist|psychologist|therapist|coach|player|athlete|swimmer|runner|climber|owner|host|presenter|anchor|correspondent|consultant|developer|programmer|officer|sergeant|detective|witness|resident|neighbou?r|mother|father|sister|brother|wife|husband|daughter|son|friend|volunteer|activist|head of|member of|expert|specialist|keeper|maker|worker|builder|miner|tailor|barber|butcher|waiter|waitress|barista|vet|veterinarian|astronaut|inventor|poet|novelist|critic|composer|conductor|violinist|pianist|drummer|guitarist)\b/i

// The person whom a caption at the foot of the picture names: "Diane Miller, baker", or the name with the role below. A slide, a list
// of names or a heading names nobody who is there.
export function readShownName(text: string): ShownName | undefined {
  const lines = text.split('\n').map(line => line.trim())
  if (lines.length > 2 || text.length > 80) return undefined
  const [first = '', second] = lines
  const [, head = first, tail] = /^(.+?)\s*(?:,|–|—| - |\|)\s*(.+)$/u.exec(first) ?? []
  if (tail !== undefined && second !== undefined) return undefined
  const role = tail ?? second
  const form = wholeName.test(asWritten(head)) ? nameForm(asWritten(head)) : undefined
  if (!form || (role !== undefined && namesSomebody(role))) return undefined
  const hasRole = role !== undefined && roles.test(role) && role.split(/\s+/).length <= 8
  if (role !== undefined && !hasRole) return undefined // "Paris, France"
  const isName = hasRole ? form.given !== 'unknown' || form.words > 1 : form.given === 'known' && form.words > 1
  return isName ? { name: form.name, ...(hasRole && { role }) } : undefined
}

// A line in capitals as names are written elsewhere.
function asWritten(line: string): string {
  return /\p{L}/u.test(line) && line === line.toUpperCase() ? inNameCase(line) : line
}

function namesSomebody(line: string): boolean {
  const form = wholeName.test(line) ? nameForm(line) : undefined
  return form !== undefined && form.given === 'known' && !roles.test(line)
}
