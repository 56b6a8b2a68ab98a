/** The rules of the game, shown beside the table. */

import { useEffect, useRef } from "preact/hooks";
import { Icon } from "../shell/icons";
import { fetchCode, useLoad } from "../shell/load";
import { Failure, Loading } from "../shell/widgets";
import { language, t } from "../texts";
import { type Block, blocksOf, loadRules } from "./index";
import "./rules.css";

/** Render **strong** and *emphasis*. */
function Words(props: { text: string }) {
  const parts = props.text.split(/(\*\*[^*]+\*\*|\*[^*]+\*)/u);
  return (
    <>
      {parts.map((part) =>
        part.startsWith("**") ? (
          <strong>{part.slice(2, -2)}</strong>
        ) : part.startsWith("*") ? (
          <em>{part.slice(1, -1)}</em>
        ) : (
          part
        ),
      )}
    </>
  );
}

function BlockView(props: { block: Block }) {
  const { block } = props;
  switch (block.kind) {
    case "heading":
      return <h3>{block.text}</h3>;
    case "paragraph":
      return (
        <p>
          <Words text={block.text} />
        </p>
      );
    case "list": {
      const items = block.items.map((item) => (
        <li>
          <Words text={item} />
        </li>
      ));
      return block.ordered ? <ol>{items}</ol> : <ul>{items}</ul>;
    }
    case "table":
      return (
        <table>
          {block.head.some(Boolean) && (
            <thead>
              <tr>
                {block.head.map((cell) => (cell ? <th scope="col">{cell}</th> : <td />))}
              </tr>
            </thead>
          )}
          <tbody>
            {block.rows.map(([first = "", ...cells]) => (
              <tr>
                <th scope="row">
                  <Words text={first} />
                </th>
                {cells.map((cell) => (
                  <td>
                    <Words text={cell} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      );
  }
}

export function RulesPanel(props: { game: string; title: string; onClose: () => void }) {
  const wanted = language();
  const { value: rules, failure, again } = useLoad(
    () => fetchCode(() => loadRules(props.game, wanted)),
    [props.game, wanted],
  );
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => panel.current?.focus(), []);
  return (
    <div
      ref={panel}
      class="rules"
      role="dialog"
      aria-label={`${t("table.rules")}: ${props.title}`}
      tabIndex={-1}
      data-testid="rules"
      onKeyDown={(key) => {
        key.stopPropagation(); // arrows scroll here, they do not choose cards
        if (key.key === "Escape") props.onClose();
      }}
    >
      <header>
        <h2>
          {t("table.rules")}: {props.title}
        </h2>
        <button type="button" class="quiet round" aria-label={t("app.close")} onClick={props.onClose}>
          <Icon name="close" />
        </button>
      </header>
      {rules !== null ? (
        <div class="rules-text">
          {blocksOf(rules).map((block) => (
            <BlockView block={block} />
          ))}
        </div>
      ) : failure ? (
        <Failure error={failure} onRetry={again} />
      ) : (
        <Loading />
      )}
      <p class="faint">{t("table.rules.note")}</p>
    </div>
  );
}
