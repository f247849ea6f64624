// The colours of a model, by the grammar of editors/lezer.

import { LRLanguage, LanguageSupport, foldNodeProp, foldInside, indentNodeProp, continuedIndent } from "@codemirror/language";
import { styleTags, tags as t } from "@lezer/highlight";
import { parser } from "sgppl-grammar";

const language = LRLanguage.define({
  name: "sgppl",
  parser: parser.configure({
    props: [
      styleTags({
        Doc: t.docComment, Comment: t.lineComment, Number: t.number, Operator: t.operator,
        Keyword: t.controlKeyword, Constant: t.bool, Word: t.definitionKeyword, Name: t.variableName,
        "( )": t.paren, "[ ]": t.squareBracket, "{ }": t.brace,
      }),
      foldNodeProp.add({ Block: foldInside }),
      indentNodeProp.add({ Block: continuedIndent({ except: /^\s*\}/ }) }),
    ],
  }),
  languageData: { commentTokens: { line: "//" }, closeBrackets: { brackets: ["(", "[", "{"] } },
});

export const sgppl = () => new LanguageSupport(language);
