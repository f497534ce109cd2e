import type { Evidence } from '../core/evidence.ts'

// A row that was found.
export interface SearchHit {
  evidence: Evidence
  lists: string[] // that it is in: "words", "meaning", "picture"
  score: number
  likeness?: number // of its meaning, or its picture, to the query
  terms: string[]
  quotation?: number // what the words of the query weigh that it holds side by side
  coverage: number // what share of the query's words it holds; 0 in the lists that do not go by words
}

// What a query finds, each list best first.
export interface SearchLists<Row extends SearchHit = SearchHit> {
  words: Row[]
  meaning: Row[]
  picture: Row[]
  likeness?: LikenessSums // where a query has a meaning
}

// Likenesses of a query to the rows of one or more videos: what a likeness is worth shows beside those of all the others, so that no
// number depends on the encoder.
export interface LikenessSums {
  rows: number
  sum: number
  squares: number
}
