// Given names that are hardly ever anything else, so that they are names where nothing is capitalised too.
export const givenNames = words(`
  aaron abdul abigail adam adele adrian agnes ahmed aisha akira alan albert alejandro alex alexander alexandra alfred ali alice alicia alison
  amanda amelia amy ana anastasia andrea andreas andrew andy angela anita anna anne annie anthony anton antonio arthur ashley barbara beatrice
  ben benjamin bernard beth betty beverly bob bobby boris brandon brenda brian bridget bruce bruno caleb cameron carl carla carlos carmen carol
  caroline catherine cathy cecilia charles charlie chloe chris christina christine christopher cindy claire clara claudia colin connor craig
  cynthia daniel daniela danny daria david deborah denise dennis derek diana diane dieter dimitri dmitri dominic donald donna dorothy doug
  douglas dylan eddie edgar edith edward eileen elaine eleanor elena eli elias elijah elisa elizabeth ella ellen elsa emily emma eric erik
  erika ernest ernesto esther ethan eugene eva evelyn fatima felix fernando fiona francesca francis francisco frank franz fred frederick gabriel
  gareth gary geoff george gerald gina giovanni giulia gloria gordon greg gregory greta gustav hannah hans harold harriet harry hassan heather
  hector heidi helen helena henry herbert hiroshi howard hugh hugo ian ibrahim igor ingrid irene isaac isabel isabella isaiah ivan jacob jake
  james jamie jan jane janet janice jason javier jean jeff jeffrey jennifer jenny jeremy jerome jerry jessica jim jimmy joan joanna joe joel
  johannes john johnny jonas jonathan jose joseph josh joshua juan judith judy julia julian julie juliet justin kai karen karin karl kate
  katherine kathleen kathy katie keith kelly ken kenji kenneth kevin kim klaus kurt kyle lars laura lauren laurence lawrence leah lena leo leon
  leonard leslie liam linda lisa liz lorenzo louis louise lucas lucia lucy luigi luis lukas luke lydia magnus malcolm manuel marco marcus
  margaret maria marie marina mario marion martha martin mary matt matteo matthew maurice megan mei melanie melissa michael michelle miguel
  mike milan miranda miriam mohammed mohamed molly monica muhammad nadia nancy naomi natalie natasha nathan neil nelson nicholas nicola nicole
  nigel nina noah nora norman oleg oliver olga olivia oscar otto pablo pamela patricia patrick paul paula pedro peggy penelope peter phil philip
  phoebe pierre rachel rafael rajesh ralph raymond rebecca renata ricardo richard rita robert roberto robin rodrigo roger roland ronald rosa
  rosemary roy rupert russell ruth ryan sally salma sam samantha samuel sandra sara sarah sasha scott sean sebastian sergei sergio sharon
  sheila shirley silvia simon sofia sonia sophia sophie stanley stefan stella stephanie stephen steve steven stuart susan suzanne svetlana sven
  sylvia tanya ted teresa terry theo theodore theresa thomas tim timothy tina tobias todd tom tommy tony tracy trevor umberto ursula valentina
  valerie vanessa vera veronica vikram vincent viktor vladimir walter wanda wayne wendy werner wilhelm william xavier yasmin yolanda yuki yusuf
  zachary zoe
`)

// Names that are words or places too: names only where a capital inside of a sentence says so.
export const wordyNames = words(`
  amber april art august austin bill brooklyn carolina charlotte chase chelsea clay cliff dakota dawn dean drew earl eve faith florence gene
  georgia grace grant guy harper hope hunter india iris ivy jack jordan joy june lily mark max may miles olive paris pat pearl ray rich rob rose
  ruby sue summer sydney victoria virginia will
`)

function words(list: string): ReadonlySet<string> {
  return new Set(list.trim().split(/\s+/))
}
