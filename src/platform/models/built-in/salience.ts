import { isCjk, type Language } from './languages.ts'
import { STOP_WORDS } from './stop-words.ts'

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))

/**
 * Words of greetings, thanks, praise and filling. A sentence of these and stop words alone says nothing worth keeping;
 * one other word and it is kept, so a missing language or word only keeps too much.
 */
const FILLERS: Readonly<Partial<Record<Language, ReadonlySet<string>>>> = {
  en: words(`hi hey hello hiya howdy yo bye goodbye ciao cheers thanks thank thx ty welcome please sorry pardon ok okay k
    sure yeah yep yup yea nope nah wow woah whoa oh ooh ah aha aww aw haha hahaha hehe lol omg gosh hmm hm mm mhm uh um
    well right alright absolutely definitely totally exactly indeed certainly congrats congratulations good great nice
    cool awesome amazing wonderful fantastic lovely perfect excellent glad happy fine regards sincerely cheers dear
    everyone all team folks there guys dude bro buddy mate going goes know think guess mean hope say anything something everything nothing up
    way gonna ttyl btw tbh fyi true much so`),
  de: words(`hallo hi hey moin servus grüezi tschüss ciao danke dank bitte gern gerne entschuldigung okay ok klar genau
    super toll schön prima gut gute guten guter morgen tag abend nacht wow ach oh aha hm haha geht gehts alles liebe
    lieben grüße grüßen freundlichen freundliche viele vielen herzlichen herzliche willkommen bis bald dann später stimmt
    richtig freut vielleicht mach machs`),
  es: words(`hola buenos buenas días dias tardes noches adiós adios gracias favor vale ok claro bien genial perfecto tal
    hasta luego pronto perdón perdon jaja mucho muchas gusto igualmente saludos`),
  fr: words(`bonjour salut bonsoir bonne journée soirée merci beaucoup plaît plait stp svp ok d'accord accord super génial
    bien ça va bientôt revoir pardon désolé haha cordialement`),
  it: words(`ciao buongiorno buonasera buona buon giorno sera notte grazie prego mille ok va bene perfetto bello presto
    arrivederci scusa scusi saluti`),
  pt: words(`olá ola oi bom boa dia tarde noite obrigado obrigada tchau ok certo bem tudo legal ótimo até logo breve
    desculpa desculpe abraço abraços`),
  nl: words(`hallo hoi hey dag goedemorgen goedenavond goedemiddag dank bedankt alsjeblieft graag oké ok prima goed mooi
    leuk doei tot straks ziens groeten gaat`),
  ru: words(`привет здравствуй здравствуйте добрый доброе добрая утро день вечер ночи спасибо пожалуйста пока свидания
    хорошо ладно отлично понятно ясно большое ага угу ок извини извините дела`),
}
/** Turns of phrase whose words would be content elsewhere, taken out before the words are looked at. */
const EN_PHRASES =
  /\b(?:(?:good|great|nice|lovely|wonderful) (?:morning|afternoon|evening|night|day|one|weekend)|(?:good|great|nice|lovely) to (?:see|meet|hear from|hear)|sounds? (?:good|great|like a plan|fun|cool|awesome|amazing)|never ?mind|no (?:worries|problem)|my pleasure|take care|take it easy|good luck|best (?:regards|wishes)|kind regards|what['’]?s new|anything new|(?:talk|see|speak|catch|chat)(?: up)?(?: (?:to|with))?(?: you| ya| u)?(?: all)? (?:later|soon|around|then)|(?:hope|doing) (?:all is )?well|got it|of course|you bet)\b/giu
/** Whole sentences, since these scripts have no gaps to split at. */
const CJK_SMALL_TALK =
  /^(?:你好|您好|大家好|嗨|哈喽|早上好|早安|上午好|下午好|晚上好|晚安|谢谢(?:你|您|大家)?|多谢|感谢|不客气|不用谢|再见|拜拜|回头见|明天见|好的?|好吧|行|可以|是的?|对|嗯+|哦+|啊+|哈+|嘿+|呵+|没事|没关系|对不起|抱歉|辛苦了|太好了|真的吗?|真棒|太棒了|你好吗|最近怎么样|怎么样|こんにちは|こんばんは|おはよう(?:ございます)?|ありがとう(?:ございます|ございました)?|どうも|すみません|ごめん(?:なさい)?|さようなら|またね|じゃあね|はい|うん|ええ|いいえ|そうですね?|なるほど|お疲れ様(?:です|でした)?|よろしくお願いします|了解(?:です)?|元気ですか)+$/u
/** After one of these a capitalised word is somebody spoken to: "Hey Mel!", "How are you, Caroline?". */
const BEFORE_VOCATIVE = words(
  'hi hey hello thanks thank you wow bye goodbye morning afternoon evening night dear congrats congratulations hallo danke hola gracias bonjour salut merci ciao grazie olá oi obrigado obrigada hoi привет спасибо',
)
/** Words by which people name themselves: then the capitalised word is no mere address. */
const INTRODUCES = /\b(?:i'm|i’m|am|is|name|called|this|ich|bin|heiße|soy|suis|sono|sou)\b/iu
const TOKEN = /[\p{L}\p{M}\p{N}]+(?:['’][\p{L}\p{M}]+)*/gu

/** Whether a sentence is greeting, thanks or filling alone. Numbers, names and any unknown word make it worth keeping. */
export function isSmallTalk(sentence: string, language: Language): boolean {
  const rest = language === 'en' ? sentence.replace(EN_PHRASES, ' ') : sentence
  const tokens = rest.match(TOKEN) ?? []
  if (tokens.length === 0) return !/[\p{Sc}\p{N}]/u.test(sentence)
  if (isCjk(language) && CJK_SMALL_TALK.test(tokens.join(''))) return true
  const introduces = INTRODUCES.test(sentence)
  return tokens.every(
    (token, at) =>
      isEmptyWord(token, language) || (!introduces && isVocative(token, tokens[at - 1], rest)),
  )
}

/** Whether a word carries no content of its own in this language. */
function isEmptyWord(token: string, language: Language): boolean {
  const lower = token.toLowerCase().replaceAll('’', "'")
  return lower.split("'").every((part) => isEmpty(part, language)) || isEmpty(lower, language)
}

function isEmpty(word: string, language: Language): boolean {
  return STOP_WORDS[language].has(word) || (FILLERS[language]?.has(word) ?? false)
}

function isVocative(token: string, previous: string | undefined, sentence: string): boolean {
  if (!/^\p{Lu}\p{Ll}/u.test(token)) return false
  if (previous !== undefined && BEFORE_VOCATIVE.has(previous.toLowerCase())) return true
  return new RegExp(`,\\s*${token}[.!?…\\s]*$`, 'u').test(sentence)
}
