package dev.heddle.server;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Many readers of events on one thread, each of which must see every event in order. They use HTTP/1.0, which has no
 * chunks.
 */
final class EventReaderCrowd implements AutoCloseable {

    /** The text before the id of an event. */
    private final byte[] mark;
    private final Selector selector = Selector.open();
    private final List<Follower> followers = new ArrayList<>();
    private final ConcurrentLinkedQueue<String> problems = new ConcurrentLinkedQueue<>();
    private final Thread thread;

    EventReaderCrowd(HeddleServer server, int size) throws IOException {
        this.mark = "\nid: ".getBytes(StandardCharsets.US_ASCII);
        byte[] request = ("GET /api/v1/events HTTP/1.0\r\nHost: localhost\r\nAuthorization: Bearer " + server.token()
                + "\r\n\r\n").getBytes(StandardCharsets.US_ASCII);
        for (int i = 0; i < size; i++) {
            SocketChannel channel = SocketChannel
                    .open(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port()));
            channel.write(ByteBuffer.wrap(request));
            channel.configureBlocking(false);
            Follower follower = new Follower();
            followers.add(follower);
            channel.register(selector, SelectionKey.OP_READ, follower);
        }
        thread = Thread.ofPlatform().daemon().name("crowd").start(this::read);
    }

    /** The position of one reader. It parses bytes as they arrive and stores none. */
    private final class Follower {
        volatile long last = -1;
        private int matched;
        private boolean inId;
        private long number;

        void take(byte[] bytes, int count) {
            for (int i = 0; i < count; i++) {
                take(bytes[i]);
            }
        }

        private void take(byte b) {
            if (inId) {
                if (b == '\n') {
                    inId = false;
                    matched = 1;
                    seen(number);
                } else {
                    // The id of the run may contain digits; the number follows the last dash.
                    number = b == '-' ? 0 : number * 10 + (b - '0');
                }
            } else {
                matched = b == mark[matched] ? matched + 1 : b == mark[0] ? 1 : 0;
                if (matched == mark.length) {
                    matched = 0;
                    inId = true;
                    number = 0;
                }
            }
        }

        private void seen(long next) {
            if (last >= 0 && next != last + 1) {
                problems.add("after " + last + " came " + next);
            }
            last = next;
        }
    }

    private void read() {
        ByteBuffer buffer = ByteBuffer.allocate(256 << 10);
        try {
            while (selector.isOpen()) {
                selector.select();
                for (SelectionKey key : selector.selectedKeys()) {
                    buffer.clear();
                    int count = ((SocketChannel) key.channel()).read(buffer);
                    if (count < 0) {
                        problems.add("the server hung up");
                        key.cancel();
                    } else {
                        ((Follower) key.attachment()).take(buffer.array(), count);
                    }
                }
                selector.selectedKeys().clear();
            }
        } catch (ClosedSelectorException e) {
            // close() was called.
        } catch (IOException e) {
            problems.add(e.toString());
        }
    }

    /** Returns the last number that every reader has seen; -1 if a reader has seen none. */
    long slowest() {
        return followers.stream().mapToLong(follower -> follower.last).min().orElse(-1);
    }

    List<String> problems() {
        return problems.stream().limit(10).toList();
    }

    @Override
    public void close() throws IOException {
        List<SelectionKey> keys = List.copyOf(selector.keys());
        selector.close();
        for (SelectionKey key : keys) {
            key.channel().close();
        }
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
