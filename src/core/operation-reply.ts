// What an operation on the memory of a video replies.
export interface OperationReply {
  head: string // in our own words: counts, and what was not looked at
  lines: string[] // words of videos, and of models that have read them
  next?: string // the next useful call, in our own words
  pictures?: Uint8Array[] // JPEG
  times?: number[][] // of the frames in each picture, in seconds
  sound?: Uint8Array // WAV
}
