import type { Language } from './languages.ts'

export interface AnswerFrame {
  /** First line of an answer that quotes; `{query}` is what was asked. */
  readonly opening: string
  /** The whole of an answer when no evidence bears on the query. */
  readonly nothing: string
  /** Last line: no language model wrote this. */
  readonly closing: string
  /** Before the date of evidence that only says when it was mentioned. */
  readonly mentioned: string
}

/** The only words of an answer that are not quoted, in the language of the query. */
export const ANSWER_FRAMES: Readonly<Record<Language, AnswerFrame>> = {
  en: {
    opening: 'From what is remembered about “{query}”:',
    nothing: 'Nothing is remembered about “{query}”.',
    closing: 'No language model is configured, so this answer quotes memory as it stands.',
    mentioned: 'mentioned',
  },
  de: {
    opening: 'Aus dem, was zu „{query}“ gemerkt ist:',
    nothing: 'Zu „{query}“ ist nichts gemerkt.',
    closing:
      'Es ist kein Sprachmodell eingerichtet; die Antwort gibt den Speicher im Wortlaut wieder.',
    mentioned: 'erwähnt am',
  },
  es: {
    opening: 'De lo que se recuerda sobre «{query}»:',
    nothing: 'No se recuerda nada sobre «{query}».',
    closing: 'No hay ningún modelo de lenguaje configurado; la respuesta cita la memoria tal cual.',
    mentioned: 'mencionado el',
  },
  fr: {
    opening: 'D’après ce qui est mémorisé sur « {query} » :',
    nothing: 'Rien n’est mémorisé sur « {query} ».',
    closing: 'Aucun modèle de langage n’est configuré ; la réponse cite la mémoire telle quelle.',
    mentioned: 'mentionné le',
  },
  it: {
    opening: 'Da ciò che è ricordato su «{query}»:',
    nothing: 'Non è ricordato nulla su «{query}».',
    closing: 'Nessun modello linguistico è configurato; la risposta cita la memoria così com’è.',
    mentioned: 'menzionato il',
  },
  pt: {
    opening: 'Do que está lembrado sobre “{query}”:',
    nothing: 'Nada está lembrado sobre “{query}”.',
    closing:
      'Nenhum modelo de linguagem está configurado; a resposta cita a memória tal como está.',
    mentioned: 'mencionado em',
  },
  nl: {
    opening: 'Uit wat is onthouden over “{query}”:',
    nothing: 'Er is niets onthouden over “{query}”.',
    closing: 'Er is geen taalmodel ingesteld; het antwoord citeert het geheugen letterlijk.',
    mentioned: 'genoemd op',
  },
  ru: {
    opening: 'Из того, что сохранено в памяти о «{query}»:',
    nothing: 'В памяти ничего нет о «{query}».',
    closing: 'Языковая модель не настроена, поэтому ответ цитирует память дословно.',
    mentioned: 'упомянуто',
  },
  zh: {
    opening: '关于“{query}”，记忆中有以下内容：',
    nothing: '记忆中没有关于“{query}”的内容。',
    closing: '未配置语言模型，因此本回答直接引用记忆原文。',
    mentioned: '提及于',
  },
  ja: {
    opening: '「{query}」について記憶されている内容：',
    nothing: '「{query}」について記憶されていることはありません。',
    closing: '言語モデルが設定されていないため、記憶をそのまま引用しています。',
    mentioned: '言及日',
  },
}
