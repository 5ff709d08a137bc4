import { foldWord } from './fold.ts'

/**
 * The commonest function words, short on purpose: a word that is left out costs a little rank, a word too many makes a
 * query miss. Words that mean something in another of the languages are left out (die, war, son, come, sin, pour).
 */
const ENGLISH =
  'a about after all also am an and any are as at be been before being but by can could did do does doing dont doesnt didnt isnt cant wont for from had has ' +
  'have having he her here hers him his how i if in into is it its just me more most my no nor not of on or other our ours over so ' +
  'some such than that the their them then there these they this those through to too up us very was we were what when where ' +
  'which while who whom why will with would you your yours'
const SPANISH =
  'al como con cual cuando de del donde el ella ellos en era es esta este estas estos ha hay la las le les lo los más mi muy nos ' +
  'o para pero por porque que qué quién se si sobre su sus también te tiene tu un una unos unas y ya yo'
const FRENCH =
  'au aux avec ce ces cette dans de des du elle elles en est et eux il ils je la le les leur lui ma mais mes moi mon ne nos notre ' +
  'nous on ou où par pas qu que qui quoi sa se ses si sont ta te tes toi ton tu un une vos votre vous'
const GERMAN =
  'aber als am an auch auf aus bei bin bis das dass dem den der des du ein eine einem einen einer eines er es für hat hatte ich ihm ' +
  'ihn ihr im in ist ja kann mein mich mir mit nach nicht noch nur oder sein sich sie sind und uns um von vor was wenn wer wie wir ' +
  'wo zu zum zur über'
const ITALIAN =
  'agli ai al alla alle anche che chi con cui da dal dalla degli dei del della delle di e è gli ha ho i il in io la le lei lo loro ' +
  'lui ma mi mia mio nei nel nella non per più quale quando questa questo se si sono su sua suo ti tra tu un una uno'
const PORTUGUESE =
  'ao aos as até com como da das de dela dele do dos e ela ele em entre era eu foi isso já lhe mais mas me meu minha muito na nas ' +
  'nem no nos não o os ou para pela pelo por quando que quem se sem seu sua são também te tem um uma você'

const STOP_WORDS: ReadonlySet<string> = new Set(
  [ENGLISH, SPANISH, FRENCH, GERMAN, ITALIAN, PORTUGUESE]
    .flatMap((words) => words.split(' '))
    .map(foldWord),
)

/** Whether a folded word, before stemming, is a stop word. */
export function isStopWord(word: string): boolean {
  return STOP_WORDS.has(word)
}
