import type { Language } from './languages.ts'

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))

/** Words that carry grammar and no content, lower case. Numbers, nouns and full verbs do not belong here. */
export const STOP_WORDS: Readonly<Record<Language, ReadonlySet<string>>> = {
  en: words(`a an the and or but nor so if then than that this these those there here it its itself i me my mine myself
    we us our ours ourselves you your yours yourself yourselves he him his himself she her hers herself they them their
    theirs themselves who whom whose which what when where why how am is are was were be been being do does did doing
    done don didn doesn isn aren wasn weren won wouldn couldn shouldn hasn haven hadn ain have has had having will would
    can could shall should may might must ought to of in on at by for from with without about into onto over under as up
    down out off again too also very just really quite only even still not no yes any some such both each every all most
    more much many few other another own same s t d ll m re ve let lets because while until though although`),
  de: words(`der die das den dem des ein eine einen einem einer eines und oder aber denn weil wenn als ob dass daß ich
    mich mir mein meine meinen meinem meiner du dich dir dein deine er ihn ihm sein seine seinen sie ihr ihre ihren ihrem
    es wir uns unser unsere euch euer man wer was wo wann warum wie welche welcher welches dieser diese dieses diesen
    bin bist ist sind seid war waren wurde wurden werde wird werden worden habe hast hat haben hatte hatten kann können
    konnte muss müssen soll sollte will wollte würde nicht kein keine keinen ja nein doch auch nur noch schon sehr so da
    dann hier dort im in an am auf aus bei beim mit nach von vom vor zu zum zur für über unter durch um ohne gegen bis
    seit mal eben sich`),
  es: words(`el la los las un una unos unas lo y e o u pero si porque que qué quien quién cuando cuándo donde dónde como
    cómo cual cuál yo me mi mis mí tú te tu tus él ella ello le les se su sus nosotros nos nuestro nuestra vosotros ellos
    ellas usted ustedes este esta esto estos estas ese esa eso aquel es son era eran fue fueron ser estar estoy está están
    estaba soy somos ha han he hemos había hay no sí ni ya muy más también solo de del a al en con sin por para sobre
    entre hasta desde`),
  fr: words(`le la les l un une des du de d et ou mais si parce que qu qui quoi quand où comment pourquoi quel quelle je
    j me m moi mon ma mes tu te t toi ton ta tes il elle on lui leur leurs son sa ses nous notre nos vous votre vos ils
    elles ce cet cette ces c se s est suis es sommes êtes sont était étaient été être ai as a avons avez ont avait avoir
    ne n pas non oui plus très aussi y en dans sur sous avec sans pour par chez vers à au aux`),
  it: words(`il lo la i gli le l un uno una e ed o ma se perché che chi quando dove come quale cosa io mi me mio mia miei
    mie tu ti te tuo tua lui lei gli le suo sua suoi noi ci nostro nostra voi vi vostro loro questo questa questi quello
    quella è sono sei siamo siete era erano stato stata essere ho hai ha abbiamo hanno aveva avere non sì no anche più
    molto già di del della dei delle da dal dalla a al alla in nel nella con su sul per tra fra`),
  pt: words(`o a os as um uma uns umas e ou mas se porque que quem quando onde como qual eu me mim meu minha meus minhas
    tu te teu tua você vocês ele ela eles elas lhe seu sua seus suas nós nos nosso nossa este esta isto esse essa isso
    aquele é são era eram foi foram ser estar estou está estão estava sou somos tem têm tenho tinha há não sim nem já
    muito mais também só de do da dos das em no na nos nas com sem por para pelo pela sobre até ao à`),
  nl: words(`de het een en of maar want omdat als dat die dit deze wie wat waar wanneer waarom hoe welke ik me mij mijn
    je jij jouw u uw hij hem zijn zij ze haar wij we ons onze jullie hun er is ben bent was waren wordt worden werd heb
    hebt heeft hebben had hadden kan kunnen zal zou moet niet geen ja nee ook nog al wel zeer heel te in op aan bij met
    naar van voor over onder door om uit tot`),
  ru: words(`и а но или если что чтобы как когда где почему кто какой какая какие я меня мне мной мой моя мои ты тебя
    тебе твой он его ему она её ее ей они их им мы нас нам наш вы вас вам ваш это этот эта эти тот та те был была было
    были быть есть будет не нет да ни уже ещё еще очень тоже также только же ли бы в во на с со из у к ко по за от до о
    об для при без`),
  zh: words(`的 了 是 我 你 您 他 她 它 我们 你们 他们 她们 在 有 和 与 也 就 都 很 这 那 这个 那个 吗 呢 吧 啊 呀 不 没
    没有 什么 谁 哪 哪里 哪儿 怎么 为什么 几 个 着 过 把 被 给 对 从 到 会 能 要 想 说 什么时候`),
  ja: words(`の に は を が で と も へ から まで より や か ね よ な だ です ます した する して いる ある この その あの
    それ これ あれ 私 僕 あなた 何 誰 どこ いつ なぜ どう ない ません でした`),
}
