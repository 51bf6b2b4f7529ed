package dev.heddle.conversation;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Objects;

import dev.heddle.output.SafeText;
import org.jspecify.annotations.Nullable;

/**
 * Renders a conversation as one self-contained HTML page: no scripts, no images, no external resources. A content
 * security policy in the page forbids them as well, in case a mistake lets something through.
 */
public final class HtmlView {

    private final StringBuilder page = new StringBuilder();

    private HtmlView() {}

    /**
     * Renders a page.
     *
     * @param title the title, such as the id of the job
     * @param prompt the agent's prompt; null if unknown
     */
    public static String page(String title, @Nullable String prompt, Conversation conversation) {
        HtmlView view = new HtmlView();
        view.head(title, conversation.totals());
        if (prompt != null) {
            view.open("section", "turn user");
            view.element("h2", "who", "prompt");
            view.element("pre", "text", prompt);
            view.close("section");
        }
        conversation.turns().forEach(view::turn);
        view.result(conversation.totals());
        return view.page.append("</main></body></html>\n").toString();
    }

    private void head(String title, Totals totals) {
        page.append("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">").append(
                "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">")
                .append("<meta name=\"viewport\" content=\"width=device-width\">");
        element("title", null, title);
        page.append("<style>\n").append(style()).append("</style></head><body><main>\n");
        element("h1", null, title);
        open("dl", null);
        fact("session", totals.session());
        fact("model", totals.model());
        fact("tokens", "%,d in, %,d out".formatted(totals.tokens().total() - totals.tokens().output(),
                totals.tokens().output()));
        fact("cost", totals.cost() == null ? "unknown" : totals.cost().toString());
        close("dl");
    }

    private static String style() {
        try (InputStream in = Objects.requireNonNull(HtmlView.class.getResourceAsStream("conversation.css"))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void fact(String name, @Nullable String value) {
        if (value != null) {
            element("dt", null, name);
            element("dd", null, value);
        }
    }

    private void turn(Turn turn) {
        String speaker = turn.speaker().name().toLowerCase(Locale.ROOT);
        open("section", "turn " + speaker);
        element("h2", "who", speaker);
        turn.parts().forEach(this::part);
        close("section");
    }

    private void part(Part part) {
        switch (part) {
            case Part.Text(String text) -> element("pre", "text", text);
            case Part.Thinking(String text) -> folded("thinking", "thinking", text);
            case Part.Note(String text) -> element("pre", "note", text);
            case Part.ToolCall call -> {
                open("div", call.failed() ? "tool failed" : "tool");
                folded("input", call.tool(), call.input().toPrettyString());
                call.inner().forEach(this::turn);
                if (call.output() != null) {
                    folded("output", call.failed() ? "failed" : "output", call.output());
                }
                close("div");
            }
        }
    }

    private void folded(String kind, String summary, String text) {
        open("details", kind);
        element("summary", null, summary);
        element("pre", null, text);
        close("details");
    }

    private void result(Totals totals) {
        if (totals.result() != null) {
            open("section", totals.result().success() ? "turn done" : "turn failed");
            element("h2", "who", totals.result().success() ? "done" : "failed (" + totals.result().how() + ")");
            element("pre", "text", totals.text());
            close("section");
        }
    }

    private void open(String tag, @Nullable String kind) {
        page.append('<').append(tag);
        if (kind != null) {
            page.append(" class=\"").append(kind).append('"');
        }
        page.append('>');
    }

    private void close(String tag) {
        page.append("</").append(tag).append(">\n");
    }

    /** Every piece of text is escaped here. */
    private void element(String tag, @Nullable String kind, String text) {
        open(tag, kind);
        SafeText.of(text).chars().forEach(c -> {
            switch (c) {
                case '<' -> page.append("&lt;");
                case '>' -> page.append("&gt;");
                case '&' -> page.append("&amp;");
                case '"' -> page.append("&quot;");
                case '\'' -> page.append("&#39;");
                default -> page.append((char) c);
            }
        });
        close(tag);
    }
}
