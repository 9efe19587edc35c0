"""A store that speaks as S3 does, with one bucket called backups. It believes only what is signed with the key of one
user, which it tells of."""

import json
import os
import threading

# What follows this many calls has to be signed: those that make the bucket and its user come before.
os.environ["INITIAL_NO_AUTH_ACTION_COUNT"] = "4"

import boto3
from moto.iam.access_control import S3IAMRequest
from moto.server import ThreadedMotoServer

create = S3IAMRequest._create_aws_request


def create_as_sent(self):
    """Signatures are of the query as it was sent, and moto has it decoded."""
    path, _, query = self._path.partition("?")
    self._path = f"{path}?{query.replace('/', '%2F')}" if query else path
    return create(self)


S3IAMRequest._create_aws_request = create_as_sent

server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
server.start()
url = "http://{}:{}".format(*server.get_host_and_port())
anybody = {"endpoint_url": url, "region_name": "us-east-1", "aws_access_key_id": "x", "aws_secret_access_key": "x"}
boto3.client("s3", **anybody).create_bucket(Bucket="backups")
iam = boto3.client("iam", **anybody)
iam.create_user(UserName="hub")
allowed = {"Effect": "Allow", "Action": "s3:*", "Resource": "*"}
policy = json.dumps({"Version": "2012-10-17", "Statement": [allowed]})
iam.put_user_policy(UserName="hub", PolicyName="all", PolicyDocument=policy)
key = iam.create_access_key(UserName="hub")["AccessKey"]
print(f"listening {url} {key['AccessKeyId']}:{key['SecretAccessKey']}", flush=True)
threading.Event().wait()
