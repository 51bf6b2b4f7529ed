package dev.heddle.conversation;

import java.util.Objects;
import java.util.function.Consumer;

import dev.heddle.budget.Usd;
import dev.heddle.conversation.Event.Answered;
import dev.heddle.conversation.Event.Called;
import dev.heddle.conversation.Event.Finished;
import dev.heddle.conversation.Event.Limited;
import dev.heddle.conversation.Event.Noise;
import dev.heddle.conversation.Event.Noticed;
import dev.heddle.conversation.Event.Said;
import dev.heddle.conversation.Event.Started;
import dev.heddle.conversation.Event.Thought;
import dev.heddle.conversation.Event.Unknown;
import dev.heddle.conversation.Event.Used;
import org.jspecify.annotations.Nullable;

/** A run for people at a terminal, event by event, so that it can be followed while it goes on. */
public final class TextView {

    private static final int OUTPUT_LINES = 12;
    private static final int INPUT_LENGTH = 300;

    private final Consumer<String> out;
    private @Nullable String speaking;
    private boolean inText;

    /**
     * Shows nothing yet.
     *
     * @param out gets text with its line ends, in pieces
     */
    public TextView(Consumer<String> out) {
        this.out = out;
    }

    /** The prompt comes from Heddle, and is in no event. */
    public void prompt(String prompt) {
        add(new Said(Speaker.USER, prompt, false, null));
    }

    public void add(Event event) {
        switch (event) {
            case Started started -> line("session " + Objects.requireNonNullElse(started.session(), "?")
                    + (started.model() == null ? "" : " · " + started.model()));
            case Said said -> say(said);
            case Thought thought -> {
                speak("agent", thought.under());
                block("  ~ ", thought.text(), OUTPUT_LINES);
            }
            case Called called -> {
                speak("agent", called.under());
                block("  ▸ ", called.tool() + " " + shortened(called.input().toString()), OUTPUT_LINES);
            }
            case Answered answered ->
                block(answered.failed() ? "    ✗ " : "    ← ", answered.output(), OUTPUT_LINES);
            case Noticed noticed -> block("! ", noticed.text(), OUTPUT_LINES);
            case Limited limited -> block("! ", "rate limit: " + limited.status()
                    + (limited.until() == null ? "" : " until " + limited.until()), OUTPUT_LINES);
            case Noise noise -> block("· ", noise.line(), OUTPUT_LINES);
            case Finished finished -> finish(finished);
            case Unknown _,Used _ -> {
                // Kept in the transcript, and nothing to read.
            }
        }
    }

    private void say(Said said) {
        boolean goesOn = said.goesOn() && inText;
        speak(said.speaker() == Speaker.USER ? "user" : "agent", said.under());
        String text = Plain.text(said.text());
        if (said.goesOn()) {
            out.accept((goesOn ? "" : "  ") + text.replaceAll("\n(?!\\z)", "\n  "));
            inText = !text.endsWith("\n");
        } else {
            block("  ", text, Integer.MAX_VALUE);
        }
    }

    private void speak(String who, @Nullable String under) {
        String name = under == null ? who : who + " in " + Plain.text(under);
        if (!name.equals(speaking)) {
            line(name);
            speaking = name;
        }
    }

    private void finish(Finished finished) {
        speaking = null;
        line((finished.success() ? "done" : "failed") + " (" + Plain.text(finished.how()) + ")"
                + (finished.usd() == null ? "" : " " + Usd.shown(finished.usd())));
        if (!finished.success() && finished.text() != null) {
            block("  ", finished.text(), OUTPUT_LINES);
        }
    }

    private static String shortened(String text) {
        return text.length() <= INPUT_LENGTH ? text : text.substring(0, INPUT_LENGTH) + "…";
    }

    private void block(String first, String text, int lines) {
        endText();
        String rest = " ".repeat(first.length());
        out.accept(first + Plain.beginning(Plain.text(text), lines).replace("\n", "\n" + rest) + "\n");
    }

    private void line(String text) {
        endText();
        out.accept(Plain.text(text) + "\n");
    }

    private void endText() {
        if (inText) {
            out.accept("\n");
            inText = false;
        }
    }
}
