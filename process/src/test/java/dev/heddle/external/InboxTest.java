package dev.heddle.external;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class InboxTest {

    private final Inbox inbox = new Inbox();

    private static Message notification(String method, int number) {
        return new Message.Notification(method, Protocol.object().put("n", number));
    }

    /** Says so many lines of a tenth of the room each. */
    private Thread saying(int lines) {
        return Thread.ofPlatform().daemon().start(() -> {
            for (int i = 0; i < lines; i++) {
                inbox.said(notification(Protocol.LOG, i), Inbox.ROOM / 10);
            }
        });
    }

    private static void awaitHeldUp(Thread thread) {
        Awaitility.await().until(() -> thread.getState() == Thread.State.WAITING);
    }

    @Test
    void holdsUpWhoSaysMoreThanIsActedUpon() throws Exception {
        Thread worker = saying(100);
        awaitHeldUp(worker);
        List<Inbox.Event> taken = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            taken.add(inbox.take());
        }
        worker.join();
        assertThat(taken).extracting(event -> ((Inbox.Event.Said) event).message())
                .as("all of it, in its order").isEqualTo(IntStream.range(0, 100)
                        .mapToObj(i -> notification(Protocol.LOG, i)).toList());
    }

    @Test
    void holdsUpNobodyOnceItIsClosed() throws Exception {
        Thread worker = saying(100);
        awaitHeldUp(worker);
        inbox.close();
        worker.join();
        assertThat(worker.isAlive()).isFalse();
    }

    @Test
    void takesTheEndHoweverFullItIs() throws Exception {
        Thread worker = saying(11);
        awaitHeldUp(worker);
        inbox.over(new Exchange.End.Lost("gone"));
        for (Inbox.Event next = inbox.take(); !(next instanceof Inbox.Event.Over); next = inbox.take()) {
            assertThat(next).isInstanceOf(Inbox.Event.Said.class);
        }
        worker.join();
    }

    @Test
    void keepsOneMessageThatIsLargerThanTheRoom() throws Exception {
        inbox.said(notification(Protocol.LOG, 1), Inbox.ROOM * 2);
        assertThat(inbox.take()).isInstanceOf(Inbox.Event.Said.class);
    }

    @Test
    void keepsOnlyTheNewestProgress() throws Exception {
        for (int i = 0; i < 1_000_000; i++) {
            inbox.said(notification(Protocol.PROGRESS, i), 50);
        }
        inbox.said(notification(Protocol.LOG, 0), 50);
        inbox.said(notification(Protocol.PROGRESS, 7), 50);
        for (Message expected : List.of(notification(Protocol.PROGRESS, 999_999),
                notification(Protocol.LOG, 0), notification(Protocol.PROGRESS, 7))) {
            assertThat(inbox.take()).isInstanceOfSatisfying(Inbox.Event.Said.class,
                    said -> assertThat(said.message()).isEqualTo(expected));
        }
    }
}
