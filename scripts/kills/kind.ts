import type { Ran } from './killed-command.ts'

// Where one round happens: a fresh folder with a data folder in it.
export interface Place {
  folder: string
  home: string
}

export interface Started {
  words: string[] // of the command line
  input?: string // on standard input
  environment?: Record<string, string>
}

// What a round ended with. `same` is compared with the undisturbed run; the counts must be 0 in both.
export interface Outcome {
  same: unknown
  lost: number
  doubled: number
}

// One command that is killed and resumed until it ends by itself.
export interface Kind {
  name: string
  fresh(place: Place): Promise<void> // what lies there before the command is first run
  next(place: Place): Promise<Started> // the same command, or the form that resumes it where the documentation names one
  finished?(place: Place, ran: Ran): Promise<boolean> // whether another `next` is due after a run that ended by itself
  outcome(place: Place, killed: Killed): Promise<Outcome>
  videos: boolean // whether `cache verify` has something to verify
}

// What is known of the kills of a round, for counts that allow for what was in flight.
export interface Killed {
  kills: number
  printed: string[] // standard output of every start, also of those that were killed
}
