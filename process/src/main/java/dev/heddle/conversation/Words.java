package dev.heddle.conversation;

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

/** All that was said in a run, one after the other, up to a length: to find it by. */
public final class Words {

    private final int most;
    private final StringBuilder text = new StringBuilder();

    public Words(int most) {
        this.most = most;
    }

    public void add(Event event) {
        switch (event) {
            case Said said -> add(said.text());
            case Thought thought -> add(thought.text());
            case Called called -> add(called.tool() + " " + called.input());
            case Answered answered -> add(answered.output());
            case Noticed noticed -> add(noticed.text());
            case Noise noise -> add(noise.line());
            case Finished finished -> add(finished.text() == null ? "" : finished.text());
            case Started _,Used _,Limited _,Unknown _ -> {
                // No words.
            }
        }
    }

    public void add(String more) {
        int room = Math.max(0, most - text.length());
        text.append(more, 0, Math.min(more.length(), room)).append(room > 0 ? "\n" : "");
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
