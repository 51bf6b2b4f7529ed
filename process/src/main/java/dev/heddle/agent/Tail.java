package dev.heddle.agent;

import java.io.IOException;
import java.io.InputStream;
import java.util.function.Consumer;

import dev.heddle.conversation.Event;

/** Follows a transcript while it grows, however far it has come. For one thread. */
public final class Tail {

    private final Transcript transcript;
    private final EventReader reader;
    private long position;

    public Tail(Transcript transcript, EventReader reader) {
        this.transcript = transcript;
        this.reader = reader;
    }

    /** What came since; a line that has not ended yet stays for the next time. Says whether anything came. */
    public boolean poll(Consumer<Event> sink) throws IOException {
        return read(sink, transcript.isCompressed());
    }

    /** The agent has ended: also a line that was cut off. */
    public boolean rest(Consumer<Event> sink) throws IOException {
        return read(sink, true);
    }

    private boolean read(Consumer<Event> sink, boolean ended) throws IOException {
        try (InputStream in = transcript.open(position)) {
            long used = new LineReader(line -> understand(line, sink)).read(in, ended);
            position += used;
            return used > 0;
        }
    }

    private void understand(RawLine line, Consumer<Event> sink) {
        switch (line.form()) {
            case WHOLE, ABRIDGED -> reader.read(line.text()).stream()
                    .filter(event -> !(event instanceof Event.Noise(String text) && text.isBlank()))
                    .forEach(sink);
            case BEGINNING -> sink.accept(
                    new Event.Noise("[a line of " + line.bytes() + " bytes, kept in the transcript] "
                            + line.text() + "…"));
        }
    }
}
