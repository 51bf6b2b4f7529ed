package dev.heddle.cli.callback;

import java.io.IOException;
import java.net.InetAddress;

/** A webhook leads to an address that is not public. */
final class PrivateAddressException extends IOException {

    private static final long serialVersionUID = 1;

    PrivateAddressException(String host, InetAddress address) {
        super(host + " has the address " + address.getHostAddress()
                + ", which is not public; set allowPrivate: true if the webhook should reach it");
    }
}
