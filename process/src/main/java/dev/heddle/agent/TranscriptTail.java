package dev.heddle.agent;

import java.io.IOException;
import java.io.InputStream;
import java.util.function.Consumer;

import dev.heddle.conversation.Event;

/** Reads a transcript incrementally while it grows. Not thread-safe. */
final class TranscriptTail {

    private final Transcript transcript;
    private final EventParser parser;
    private long position;

    TranscriptTail(Transcript transcript, EventParser parser) {
        this.transcript = transcript;
        this.parser = parser;
    }

    /**
     * Passes all events since the last call to the sink. A line that is not complete yet is left for the next call.
     *
     * @return whether there was anything new
     */
    boolean poll(Consumer<Event> sink) throws IOException {
        return read(sink, transcript.isCompressed());
    }

    /**
     * Passes all remaining events to the sink, including a last line without a line end. Call this once the agent has
     * ended.
     *
     * @return whether there was anything new
     */
    boolean drain(Consumer<Event> sink) throws IOException {
        return read(sink, true);
    }

    private boolean read(Consumer<Event> sink, boolean complete) throws IOException {
        try (InputStream in = transcript.open(position)) {
            long consumed = new LineReader(line -> parse(line, sink)).read(in, complete);
            position += consumed;
            return consumed > 0;
        }
    }

    private void parse(RawLine line, Consumer<Event> sink) {
        switch (line.form()) {
            case WHOLE, TRUNCATED -> parser.parse(line.text()).stream()
                    .filter(event -> !(event instanceof Event.Noise(String text) && text.isBlank())).forEach(sink);
            case PREFIX -> sink.accept(new Event.Noise(
                    "[a line of " + line.bytes() + " bytes, complete in the transcript] " + line.text() + "…"));
        }
    }
}
